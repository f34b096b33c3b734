// Prepares the binaries as the user of this process and prints which ones are used.
import { findPackagedBinaries, prepareBinaries } from '../binaries.ts'

const [root = '', copyFolder = ''] = process.argv.slice(2)
const packaged = await findPackagedBinaries()
const { postgres } = await prepareBinaries({
  packaged: { ...packaged, root, postgres: `${root}/bin/postgres` },
  copyFolder,
})
process.stdout.write(`${JSON.stringify({ postgres })}\n`)
