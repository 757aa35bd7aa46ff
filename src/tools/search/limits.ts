/** Bytes; larger files are not searched. */
export const largestSearchedFile = 50_000_000;
