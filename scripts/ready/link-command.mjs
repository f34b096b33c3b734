import { lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const command = 'packages/cli/bin/telltale.mjs'

/**
 * Makes `npx telltale` work if the packages were installed before the command's file existed: npm omits the link then
 * and does not retry. Where links are not allowed, `node packages/cli/bin/telltale.mjs` does the same.
 */
export function linkCommand(root) {
  const link = join(root, 'node_modules/.bin/telltale')
  if (process.platform === 'win32' || pointsTo(link, join(root, command))) return
  try {
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    if (isThere(link)) rmSync(link)
    symlinkSync(join('../..', command), link)
  } catch (error) {
    // A parallel start creates it at the same time, or the folder belongs to another user.
    if (!['EEXIST', 'ENOENT', 'EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

function pointsTo(link, file) {
  try {
    return realpathSync(link) === realpathSync(file)
  } catch {
    return false
  }
}

function isThere(link) {
  try {
    lstatSync(link)
    return true
  } catch {
    return false
  }
}
