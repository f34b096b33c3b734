import { customType } from 'drizzle-orm/pg-core'
import { seal, unseal } from '../../secrets/secret-keys.ts'

/** A text that the database has encrypted. `table` binds it to its place; `reseal-secrets.ts` lists all of these columns. */
export const sealedText = (table: string, column: string) =>
  customType<{ data: string; driverData: string }>({
    dataType: () => 'text',
    toDriver: (plain) => seal(plain, `${table}.${column}`),
    fromDriver: (stored) => unseal(stored, `${table}.${column}`),
  })(column)
