#!/usr/bin/env node
// Runs `npx telltale` in the repository. Checked in, unlike the built command: npm links a command only when its file
// exists.
import { existsSync } from 'node:fs'

const built = new URL('../dist/telltale.js', import.meta.url)
if (existsSync(built)) await import(built.href)
else {
  console.error('The command is not built yet. Run "npm start" or "npm run build" first.')
  process.exitCode = 1
}
