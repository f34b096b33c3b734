import { useQuery } from '@tanstack/react-query'
import type { Prerequisite } from '@telltale/core/contract/flag-config'
import { limits } from '@telltale/core/limits'
import { flagChoicesQuery } from '../../../api/flag-configs.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/form/combobox.tsx'
import type { Draft } from './draft.ts'
import type { ChangeDraft } from './draft-panel.ts'
import { type DraftFault, faultsUnder } from './faults.ts'
import { Section } from './section.tsx'
import { useTargeting } from './targeting-context.ts'

type PrerequisitesPanelProps = { draft: Draft; faults: readonly DraftFault[]; onChange: ChangeDraft }

export function PrerequisitesPanel({ draft, faults, onChange }: PrerequisitesPanelProps) {
  const { readOnly } = useTargeting()
  const { prerequisites, offVariation } = draft
  const set = (next: Prerequisite[], about?: string) =>
    onChange((now) => ({ ...now, prerequisites: next }), about)
  const whole = faults.find(({ pointer }) => pointer === '/prerequisites')

  return (
    <Section title="Prerequisites" note={`checked first; if one fails, serves ${offVariation}`}>
      <div
        className={`gap-8 rounded-panel border border-line bg-surface px-14 py-8 ${prerequisites.length === 0 ? 'flex flex-wrap items-center justify-between' : 'grid'}`}
      >
        {prerequisites.length === 0 && <p className="text-text-2">No prerequisites</p>}
        {prerequisites.map((prerequisite, index) =>
          readOnly === undefined ? (
            <PrerequisiteRow
              // biome-ignore lint/suspicious/noArrayIndexKey: their index identifies them during editing.
              key={index}
              prerequisite={prerequisite}
              number={index + 1}
              faults={faultsUnder(faults, `/prerequisites/${index}`)}
              onPrerequisite={(next) =>
                set(
                  prerequisites.map((one, at) => (at === index ? next : one)),
                  `/prerequisites/${index}`,
                )
              }
              onRemove={() => set(prerequisites.filter((_, at) => at !== index))}
            />
          ) : (
            <p key={prerequisite.flag} className="break-words">
              <code className="text-12">{prerequisite.flag}</code>
              <span className="text-text-2"> serves </span>
              <code className="text-12">{prerequisite.variation}</code>
            </p>
          ),
        )}
        {whole && <p className="text-12 text-bad">{whole.message}</p>}
        {readOnly === undefined && (
          <div>
            <Button
              look="quiet"
              size="small"
              icon="plus"
              disabled={prerequisites.length >= limits.prerequisitesPerFlag}
              onClick={() => set([...prerequisites, { flag: '', variation: '' }])}
            >
              Add prerequisite
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}

type PrerequisiteRowProps = {
  prerequisite: Prerequisite
  number: number
  faults: readonly DraftFault[]
  onPrerequisite: (prerequisite: Prerequisite) => void
  onRemove: () => void
}

function PrerequisiteRow(props: PrerequisiteRowProps) {
  const { prerequisite, number, faults, onPrerequisite, onRemove } = props
  const { place } = useTargeting()
  const { flag, variation } = prerequisite
  const found = useQuery(flagChoicesQuery({ project: place.project, search: flag }))
  const choices = (found.data ?? []).filter(({ key }) => key !== place.flag)
  const chosen = choices.find(({ key }) => key === flag)
  const faultAt = (member: string) => faults.find(({ pointer }) => pointer.endsWith(member))?.message

  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto_minmax(0,22ch)_28px] items-start gap-8 max-wide:grid-cols-[minmax(0,1fr)_28px]">
      <legend className="sr-only">Prerequisite {number}</legend>
      <div className="min-w-0 max-wide:col-span-full">
        <Combobox
          label="Flag"
          hideLabel
          code
          placeholder="Key of a flag"
          suggestions={choices.map(({ key, name }) => ({ value: key, note: name }))}
          maxLength={limits.keyLength}
          value={flag}
          onValue={(next) => {
            const known = choices.find(({ key }) => key === next)
            const isThere = known?.variations.some(({ key }) => key === variation)
            onPrerequisite({
              flag: next,
              variation: isThere || !known ? variation : (known.variations[0]?.key ?? ''),
            })
          }}
          fault={faultAt('/flag')}
        />
      </div>
      <span className="pt-6 text-text-2 max-wide:sr-only">serves</span>
      <div className="min-w-0">
        <Combobox
          label="Required variation"
          hideLabel
          code
          placeholder="Variation"
          suggestions={(chosen?.variations ?? []).map(({ key, name }) => ({ value: key, note: name }))}
          maxLength={limits.keyLength}
          value={variation}
          onValue={(next) => onPrerequisite({ flag, variation: next })}
          fault={faultAt('/variation')}
        />
      </div>
      <IconButton icon="close" label={`Remove prerequisite ${number}`} onClick={onRemove} />
    </fieldset>
  )
}
