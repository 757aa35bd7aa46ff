/** The bundled script as text, provided by the build. */
declare module '*?script' {
  const text: string;
  export default text;
}
