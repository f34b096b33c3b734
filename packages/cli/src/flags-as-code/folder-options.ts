// The options that `plan` and `apply` share.

export const usualFolder = 'telltale'

export const folderOptions = {
  only: { value: 'ENV', does: 'leaves out the configurations of other environments', isMany: true },
  prune: { does: 'archives flags, and deletes other entries, that were removed from the folder' },
  repository: { value: 'NAME', does: 'the name of the repository, as in acme/shop' },
  link: {
    value: 'TEMPLATE',
    does: 'github, gitlab, bitbucket, or an address with {file}, {line}, {commit}, {branch}',
  },
} as const
