// Tries to lock a data folder, prints the result, and keeps the lock.
import { DataFolderInUse, lockDataFolder } from '../lock.ts'

const [folder = ''] = process.argv.slice(2)
try {
  await lockDataFolder(folder)
  process.stdout.write('held\n')
  setInterval(() => undefined, 60_000)
} catch (error) {
  if (!(error instanceof DataFolderInUse)) throw error
  process.stdout.write(`refused ${error.pid}\n`)
}
