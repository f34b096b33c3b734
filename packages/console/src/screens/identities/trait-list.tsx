import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Tooltip } from '../../ui/overlay/tooltip.tsx'
import { traitText } from './trait-text.ts'

type TraitListProps = { traits: Readonly<Record<string, unknown>>; masked: readonly string[] }

/** All traits, including those that are stored but hidden. */
export function TraitList({ traits, masked }: TraitListProps) {
  const names = [...Object.keys(traits), ...masked].sort()
  if (names.length === 0) return <p className="text-text-2">No traits in the latest context.</p>
  return (
    <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,4fr)] gap-x-12 gap-y-6">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="wrap-anywhere text-text-2">{name}</dt>
          <dd className="min-w-0">
            {masked.includes(name) ? <Masked /> : <TraitValue value={traits[name]} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Masked() {
  return (
    <Tooltip text="Sensitive trait: visible to maintainers and admins.">
      <span className="inline-flex cursor-help items-center gap-4 text-text-3">
        <Icon name="lock" className="size-12" />
        hidden from your role
      </span>
    </Tooltip>
  )
}

function TraitValue({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false)
  const short = traitText(value)
  const whole = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const isText = typeof value === 'string'
  const isCut = short.endsWith('…') && short !== whole
  return (
    <span className="grid justify-items-start gap-4">
      <span className={`max-w-full wrap-anywhere whitespace-pre-wrap ${isText ? '' : 'font-code text-12'}`}>
        {isCut && !isWhole ? short : whole}
      </span>
      {isCut && (
        <Button size="small" look="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </span>
  )
}
