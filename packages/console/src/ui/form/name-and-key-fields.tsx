import { limits } from '@telltale/core/limits'
import { Field } from './field.tsx'

type NameAndKeyFieldsProps = {
  name: string
  /** Not `key`, which is reserved by React. */
  ownKey: string
  faults: { readonly name?: string | undefined; readonly key?: string | undefined }
  /** What the key is used for. */
  hint: string
  /** The server's error about the key. */
  taken?: string | undefined
  onName: (name: string) => void
  onKey: (key: string) => void
}

export function NameAndKeyFields({
  name,
  ownKey,
  faults,
  hint,
  taken,
  onName,
  onKey,
}: NameAndKeyFieldsProps) {
  return (
    <>
      <Field
        label="Name"
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
        maxLength={limits.nameLength}
        fault={faults.name}
        autoComplete="off"
        autoFocus
      />
      <Field
        label="Key"
        code
        value={ownKey}
        onChange={(event) => onKey(event.currentTarget.value)}
        maxLength={limits.keyLength}
        hint={hint}
        fault={faults.key ?? taken}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  )
}
