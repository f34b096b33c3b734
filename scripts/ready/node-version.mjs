import { Refusal } from './say.mjs'

const floor = [20, 19]

export function refuseOldNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > floor[0] || (major === floor[0] && minor >= floor[1])) return
  throw new Refusal(
    `needs Node ${floor.join('.')} or newer, this is ${version}. See https://nodejs.org/en/download`,
  )
}
