// Flags of `git diff-tree` for a comparison of all files. A file counts as renamed only if its content is the same.

/** Nothing of the repository affects the result: no external program, text conversion or setting. */
export const treeFlags = ['-r', '-M100%', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=none']
export const rawFlags = [...treeFlags, '-z', '--raw', '--no-abbrev']
const patchFormat = ['-p', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short']
/** Without renames. */
export const patchFlags = [...treeFlags, '--no-renames', ...patchFormat]
