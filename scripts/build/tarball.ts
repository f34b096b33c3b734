// Writes a package in npm's format. The same files give the same bytes.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

const block = 512

/** Packs everything below `folder`. */
export function writeTarball(file: string, folder: string): void {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
  const parts = paths.flatMap((path) => {
    const content = readFileSync(join(folder, path))
    const padding = Buffer.alloc((block - (content.length % block)) % block)
    return [headerOf(`package/${path.split(sep).join('/')}`, content.length), content, padding]
  })
  const packed = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 })
  // The operating system field of the gzip header differs between machines.
  packed[9] = 255
  writeFileSync(file, packed)
}

/** 1985-10-26, as npm writes it: some tools refuse the year 1970. */
const modifiedSeconds = 499_162_500

/** A POSIX ustar header, with the fields in order. */
function headerOf(name: string, sizeBytes: number): Buffer {
  if (Buffer.byteLength(name) > 99) throw new Error(`The name is too long for a tarball: ${name}`)
  const header = Buffer.alloc(block)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  const blankChecksum = ' '.repeat(8)
  header.write(name, 0)
  header.write(`${octal(0o644, 7)}${octal(0, 7)}${octal(0, 7)}`, 100)
  header.write(`${octal(sizeBytes, 11)}${octal(modifiedSeconds, 11)}${blankChecksum}0`, 124)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)} `, 148)
  return header
}
