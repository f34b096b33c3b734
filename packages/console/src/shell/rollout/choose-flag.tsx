import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flagChoicesQuery } from '../../api/flag-configs.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSettled } from '../../ui/use-settled.ts'

type ChooseFlagProps = { project: string; onFlag: (flag: string) => void; onClose: () => void }

/** The first step where no flag is on the screen. */
export function ChooseFlag({ project, onFlag, onClose }: ChooseFlagProps) {
  const [text, setText] = useState('')
  const [isChecked, setChecked] = useState(false)
  const search = useSettled(text.trim(), text.trim())
  const flags = useQuery(flagChoicesQuery({ project, search }))
  const open = (flags.data ?? []).filter(({ archivedAt }) => archivedAt === null)
  const isKnown = (key: string) => open.some((flag) => flag.key === key)

  function choose(key: string) {
    setChecked(true)
    if (isKnown(key)) onFlag(key)
  }
  return (
    <Dialog
      title="Start a guarded rollout"
      description="Of which flag?"
      onClose={onClose}
      onSubmit={() => choose(text.trim())}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Go on
          </Button>
        </>
      }
    >
      <Combobox
        label="Flag"
        code
        suggestions={open.map(({ key, name }) => ({ value: key, note: name }))}
        value={text}
        onValue={(next) => {
          setText(next)
          setChecked(false)
        }}
        onCommit={choose}
        fault={isChecked && !isKnown(text.trim()) ? 'There is no flag with this key.' : undefined}
      />
    </Dialog>
  )
}
