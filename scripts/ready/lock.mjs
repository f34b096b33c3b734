import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { say } from './say.mjs'

const beat = 2_000
const staleAfter = 15_000

/**
 * Runs `work` while holding `folder` as a lock: creating a folder succeeds for exactly one of several processes. A
 * lock is taken over if its process has exited or stopped renewing it.
 */
export async function withLock(folder, work) {
  await takeLock(folder)
  const beating = setInterval(() => renew(folder), beat).unref()
  const release = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beating)
    process.off('exit', release)
    release()
  }
}

async function takeLock(folder) {
  mkdirSync(dirname(folder), { recursive: true })
  for (let waited = false; !tryTake(folder); waited = true) {
    if (isStale(folder)) removeStale(folder)
    else if (!waited) say('waiting for another installation or build to finish')
    await pause(200)
  }
}

function tryTake(folder) {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(folder, 'owner'), String(process.pid))
  return true
}

function renew(folder) {
  const now = new Date()
  try {
    utimesSync(folder, now, now)
  } catch {
    // Taken over while this machine was suspended; the work itself is safe, because results are moved as a whole.
  }
}

function isStale(folder) {
  try {
    if (Date.now() - statSync(folder).mtimeMs > staleAfter) return true
    return !isAlive(Number(readFileSync(join(folder, 'owner'), 'utf8')))
  } catch {
    return false
  }
}

function isAlive(pid) {
  if (!pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// Renaming first ensures that only one of two processes that saw the same stale lock removes it.
function removeStale(folder) {
  const aside = `${folder}.stale-${process.pid}`
  try {
    renameSync(folder, aside)
    rmSync(aside, { recursive: true, force: true })
  } catch {
    // The other process was faster.
  }
}
