import { useState } from 'react'
import { Field } from '../../ui/form/field.tsx'

type CodeFieldProps = { code: string; fault: string | undefined; refused: boolean }

/** Hidden while the code from the address serves; shown when there was none or the server refused it, and then stays. */
export function CodeField({ code, fault, refused }: CodeFieldProps) {
  const needed = !code || refused || fault !== undefined
  const [shown, setShown] = useState(needed)
  if (needed && !shown) setShown(true)
  if (!shown) return <input type="hidden" name="code" value={code} />

  return (
    <div className="pb-24">
      <Field
        label="Setup code"
        name="code"
        defaultValue={code}
        hint="At the end of the URL the server prints when it starts."
        fault={fault}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </div>
  )
}
