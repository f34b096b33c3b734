// The country of an address, from a database file in MaxMind's format. The address itself is never stored.

import { readFile } from 'node:fs/promises'
import { type CountryResponse, Reader } from 'mmdb-lib'
import type { Log } from '../../platform/process/log.ts'

export type Countries = (address: string) => string

export async function openCountries(file: string | undefined, log: Log): Promise<Countries> {
  if (file === undefined) return () => ''
  try {
    const reader = new Reader<CountryResponse>(await readFile(file))
    return (address) => {
      try {
        return reader.get(address)?.country?.iso_code ?? ''
      } catch {
        // Not an internet address, for example that of a Unix socket.
        return ''
      }
    }
  } catch (error) {
    log.error({ err: error, file }, 'the country database cannot be read: countries stay unknown')
    return () => ''
  }
}
