// Files that declare flags for the command itself: a key in them is not a use.

import { codeFilesTitle } from '@telltale/core/code-kinds'
import { schemaFile } from '../flags-as-code/write-folder.ts'
import { readText } from './list-files.ts'

interface Listed {
  paths: readonly string[]
  /** The path of the file that names wrappers and constants. */
  names: string
}

/** The paths outside of folders of flags as code, and without the file that names wrappers and constants. */
export async function leaveOutDeclared(folder: string, { paths, names }: Listed): Promise<string[]> {
  const schemas = paths.filter((path) => `/${path}`.endsWith(`/${schemaFile}`))
  const ours = await Promise.all(
    schemas.map(async (path) => (await readText(folder, path))?.includes(codeFilesTitle) === true),
  )
  const folders = schemas
    .filter((_, index) => ours[index])
    .map((path) => path.slice(0, -schemaFile.length))
    // At the root of a repository, other files are not declarations.
    .map((its) => its || schemaFile)
  return paths.filter((path) => path !== names && !folders.some((its) => path.startsWith(its)))
}
