import { useQuery } from '@tanstack/react-query'
import { percentText } from '@telltale/core/changes/condition-words'
import { limits } from '@telltale/core/limits'
import { type Layer, layersQuery } from '../../../api/layers.ts'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { percentText as shareOf, weightOf } from '../../../ui/text/weight-text.ts'
import type { ExperimentForm } from '../experiment-form.ts'

type LayerFieldsProps = {
  project: string
  env: string
  form: ExperimentForm
  fault: string | undefined
  onLayer: (layer: ExperimentForm['layer']) => void
}

const none = ''

/** The layer of an experiment, and the share that its start reserves. Nothing while the project has no layer. */
export function LayerFields({ project, env, form, fault, onLayer }: LayerFieldsProps) {
  const layers = useQuery(layersQuery(project))
  const known = layers.data ?? []
  const chosen = known.find(({ key }) => key === form.layer?.key)
  if (known.length === 0) return null
  const freeOf = ({ free }: Layer) => free[env] ?? limits.weightTotal

  function choose(key: string) {
    const layer = known.find((one) => one.key === key)
    if (layer === undefined) return onLayer(undefined)
    onLayer({ key, share: form.layer?.share ?? Math.max(smallest, freeOf(layer)) })
  }
  return (
    <div className="grid min-w-0 gap-6">
      <div className="flex min-w-0 items-end gap-12">
        <span className="min-w-0 flex-1">
          <Select
            label="Layer"
            options={[
              { value: none, label: 'None: all users of the split' },
              ...known.map((layer) => ({
                value: layer.key,
                label: `${layer.name} (${percentText(freeOf(layer))} free)`,
              })),
            ]}
            value={form.layer?.key ?? none}
            onValue={choose}
          />
        </span>
        {form.layer && (
          <NumberField
            label="Share of the layer, in percent"
            value={form.layer.share}
            onValue={(share) => form.layer && onLayer({ ...form.layer, share })}
            parse={sizeOf}
            format={shareOf}
            isFaulty={Number.isNaN(form.layer.share) || fault !== undefined}
            unit="%"
          />
        )}
      </div>
      {fault && (
        <p role="alert" className="text-12 text-bad">
          {fault}
        </p>
      )}
      {form.layer && (
        <p className="text-12 text-text-2">
          Users outside of this share get the control and do not take part.
          {chosen && freeOf(chosen) < form.layer.share && (
            <span className="text-warn">
              {' '}
              Only {percentText(freeOf(chosen))} is free now: it cannot start yet.
            </span>
          )}
        </p>
      )}
    </div>
  )
}

const smallest = 100

function sizeOf(text: string): number {
  const size = weightOf(text)
  return size >= smallest ? size : Number.NaN
}
