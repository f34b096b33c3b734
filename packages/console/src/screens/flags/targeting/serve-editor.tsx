import { sharesText } from '@telltale/core/changes/config-text'
import { limits } from '@telltale/core/limits'
import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/form/choice.tsx'
import { Combobox } from '../../../ui/form/combobox.tsx'
import { WeightField } from '../../../ui/form/weight-field.tsx'
import { RolloutBar } from '../../../ui/rollout-bar.tsx'
import { Variation } from '../../../ui/variation.tsx'
import { defaultBy, type ServeDraft, type SplitDraft } from './draft.ts'
import { type DraftFault, faultsUnder } from './faults.ts'
import { useTargeting } from './targeting-context.ts'
import { VariationSelect } from './variation-select.tsx'
import { setWeight, spreadEvenly, weightsFault } from './weights.ts'

type ServeEditorProps = {
  serve: ServeDraft
  onServe: (serve: ServeDraft, about?: string) => void
  /** Its pointer in the draft: `/fallthrough`. */
  pointer: string
  faults: readonly DraftFault[]
}

const kinds = [
  { value: 'one', label: 'One variation' },
  { value: 'split', label: 'Split' },
] as const

/** One variation for all users, or a split by weight. */
export function ServeEditor({ serve, onServe, pointer, faults }: ServeEditorProps) {
  const { variations } = useTargeting()
  const reported = faultsUnder(faults, pointer)

  function choose(kind: 'one' | 'split') {
    if (kind === 'one' && 'split' in serve) {
      const [most] = serve.split.toSorted((a, b) => b.weight - a.weight)
      onServe({ variation: most?.variation ?? variations[0]?.key ?? '' })
    } else if (kind === 'split' && 'variation' in serve) {
      const split = variations.map(({ key }) => ({
        variation: key,
        weight: key === serve.variation ? limits.weightTotal : 0,
      }))
      onServe({ split, by: defaultBy })
    }
  }

  return (
    <div className="grid min-w-0 gap-10">
      <div className="flex flex-wrap items-center gap-8">
        <span className="text-text-2">serve</span>
        <Segmented
          label="Serve"
          choices={kinds}
          value={'split' in serve ? 'split' : 'one'}
          onValue={choose}
        />
        {'variation' in serve && (
          <VariationSelect
            label="Variation"
            value={serve.variation}
            onValue={(variation) => onServe({ variation })}
            fault={reported[0]?.message}
          />
        )}
      </div>
      {'split' in serve && (
        <SplitEditor serve={serve} onServe={onServe} pointer={pointer} faults={reported} />
      )}
    </div>
  )
}

type SplitEditorProps = Omit<ServeEditorProps, 'serve'> & { serve: SplitDraft }

function SplitEditor({ serve, onServe, pointer, faults }: SplitEditorProps) {
  const { variations, attributes } = useTargeting()
  const id = useId()
  const order = (key: string) => variations.findIndex((variation) => variation.key === key)
  const left = variations.filter(({ key }) => !serve.split.some(({ variation }) => variation === key))
  const byFault = faults.find((fault) => fault.pointer === `${pointer}/by`)?.message
  const fault = weightsFault(serve.split) ?? faults.find((one) => one.pointer !== `${pointer}/by`)?.message

  return (
    <div className="grid min-w-0 gap-10">
      <RolloutBar
        text={fault ? 'Not fully allocated' : sharesText(serve)}
        shares={serve.split.map(({ variation, weight }) => ({
          order: order(variation),
          label: variation,
          weight: weight || 0,
        }))}
      />
      <ul className="grid gap-x-16 gap-y-6 wide:grid-cols-2">
        {serve.split.map(({ variation, weight }, index) => (
          <li key={variation} className="flex min-w-0 items-center gap-8">
            <span className="flex min-w-0 flex-1">
              <Variation order={order(variation)} label={variation} isKey />
            </span>
            <WeightField
              label={`Weight of ${variation}`}
              weight={weight}
              isFaulty={fault !== undefined}
              describedBy={fault ? id : undefined}
              onWeight={(next) =>
                onServe({ ...serve, split: setWeight(serve.split, index, next) }, `${pointer}/${variation}`)
              }
            />
          </li>
        ))}
      </ul>
      {fault && (
        <p id={id} role="status" className="text-12 text-bad">
          {fault}
        </p>
      )}
      <div className="flex flex-wrap items-end gap-8">
        <div className="w-[24ch] max-w-full">
          <Combobox
            label="Split by"
            code
            suggestions={attributes}
            maxLength={limits.attributeLength}
            value={serve.by}
            onValue={(by) => onServe({ ...serve, by }, `${pointer}/by`)}
            fault={byFault}
          />
        </div>
        <Button onClick={() => onServe({ ...serve, split: spreadEvenly(serve.split) })}>
          Distribute evenly
        </Button>
        {left.length > 0 && (
          <Button
            look="quiet"
            onClick={() =>
              onServe({
                ...serve,
                split: [...serve.split, ...left.map(({ key }) => ({ variation: key, weight: 0 }))],
              })
            }
          >
            Add {left.length === 1 ? left[0]?.key : `${left.length} variations`}
          </Button>
        )}
      </div>
    </div>
  )
}
