/** The build gives these as the text of a script. */
declare module '*?script' {
  const text: string;
  export default text;
}
