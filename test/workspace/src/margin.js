/** The water to keep under the keel, in metres: docs/heights.md. */
export function marginMetres() {
  return 0.3;
}
