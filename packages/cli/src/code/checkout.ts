// What git says about the folder of some code.

import { git } from './list-files.ts'

export interface Checkout {
  /** The address of the remote "origin". */
  remote: string | undefined
  /** As in `acme/shop`, from the address of the remote. */
  repository: string | undefined
  /** `HEAD` if no branch is checked out. */
  branch: string | undefined
  commit: string | undefined
  /** The folder of the whole repository. */
  root: string | undefined
}

/** Parts are undefined where git or the part is not there. */
export async function readCheckout(folder: string): Promise<Checkout> {
  const ask = async (...args: string[]) => (await git(folder, ...args))?.trim()
  const [remote, branch, commit, root] = await Promise.all([
    ask('remote', 'get-url', 'origin'),
    ask('rev-parse', '--abbrev-ref', 'HEAD'),
    ask('rev-parse', 'HEAD'),
    ask('rev-parse', '--show-toplevel'),
  ])
  const repository = remote?.match(/[:/]([^:/]+\/[^/]+?)(?:\.git)?\/?$/)?.[1]
  return { remote, repository, branch, commit, root }
}
