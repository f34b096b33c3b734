#!/usr/bin/env node
// What `npx telltale` runs in the folder of the product. It is here from the first checkout on, unlike the built command: npm
// makes the link to a command only when its file is there.
import { existsSync } from 'node:fs'

const built = new URL('../dist/telltale.js', import.meta.url)
if (existsSync(built)) await import(built.href)
else {
  console.error('The command is not built yet. Run "npm start" or "npm run build" first.')
  process.exitCode = 1
}
