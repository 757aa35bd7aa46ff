// What the extension's details page in the editor is made of.

/**
 * The README for the package, and how vsce is to treat its links. The details page shows pictures from https:// alone,
 * neither from the package nor from data:, and any other as broken. Where the manifest names a repository, vsce makes
 * https:// addresses of relative ones; where it names none, the pictures are left out, and links to files of the
 * repository become the words that they stand on. The walkthrough shows the pictures from the package.
 * @param {string} readme
 * @param {{ repository?: unknown }} manifest
 */
export function toDetailsPage(readme, { repository }) {
  return repository
    ? { readme, options: { rewriteRelativeLinks: true } }
    : {
        readme: readme
          .replace(/^(?:!\[[^\]]*\]\((?!https:)[^)]*\)|<img src="(?!https:)[^>]*>)\n\n?/gm, '')
          .replace(/(?<!!)\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g, '$1'),
        options: { rewriteRelativeLinks: false, allowMissingRepository: true },
      };
}
