import { Link } from '@tanstack/react-router'
import type { ImpactSplit } from '../../../api/impact.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { useFlag } from '../flag-context.ts'
import { CrossLinks } from './cross-links.tsx'
import { type Compared, useImpactSearch } from './use-compared.ts'
import { VariationName } from './variation-name.tsx'

const wholeRollout = 'rollout'

/** The split, the period and the control. */
export function ChoicesPanel({ compared }: { compared: Compared }) {
  const { set } = useImpactSearch()
  const { impact, comparison, control } = compared
  const split = impact.splits.find((one) => one.split === impact.compared?.split)
  if (split === undefined) return null
  const epoch = split.epochs.find((one) => one.epoch === impact.compared?.epochs.last) ?? split
  const rollout = impact.compared?.rollout ?? null
  const arms = epoch.arms.filter(({ weight }) => weight > 0)

  return (
    <Panel title="Comparison">
      <div className="grid gap-12">
        {impact.splits.length > 1 && (
          <Select
            label="Split"
            options={impact.splits.map((one) => ({ value: one.split, label: splitText(one) }))}
            value={split.split}
            onValue={(next) =>
              set({ split: next, epoch: undefined, control: undefined, treatment: undefined })
            }
          />
        )}
        {split.epochs.length > 1 && (
          <Select
            label="Period"
            hint="A new period begins when the weights change."
            options={[
              ...(rollout === null ? [] : [{ value: wholeRollout, label: 'All stages of the rollout' }]),
              ...split.epochs.map((one) => ({ value: String(one.epoch), label: epochText(one) })),
            ]}
            value={rollout === null ? String(epoch.epoch) : wholeRollout}
            onValue={(next) =>
              set({
                control: undefined,
                treatment: undefined,
                epoch: next === wholeRollout ? undefined : Number(next),
              })
            }
          />
        )}
        {arms.length > 2 && (
          <Select
            label="Variation"
            options={
              impact.compared?.comparisons.map(({ treatment }) => ({ value: treatment, label: treatment })) ??
              []
            }
            value={comparison.treatment}
            onValue={(next) => set({ treatment: next })}
          />
        )}
        {rollout === null && (
          <Select
            label="Control"
            options={arms.map(({ variation }) => ({ value: variation, label: variation }))}
            value={control}
            onValue={(next) =>
              set({ control: next, treatment: next === comparison.treatment ? control : undefined })
            }
          />
        )}
        <p className="text-12 text-text-2">
          Split by <code>{split.by}</code>, weights {arms.map(({ weight }) => weight / 1_000).join(' / ')},
          since <Time at={epoch.startedAt} />
          {epoch.endedAt !== null && (
            <>
              {' '}
              until <Time at={epoch.endedAt} />
            </>
          )}
          .
        </p>
      </div>
    </Panel>
  )
}

function splitText({ place, endedAt }: ImpactSplit): string {
  const where = place === 'fallthrough' ? 'everyone else' : 'a rule'
  return endedAt === null ? `Of ${where}` : `Of ${where}, ended`
}

function epochText({ epoch, arms }: Pick<ImpactSplit, 'epoch' | 'arms'>): string {
  const weights = arms
    .filter(({ weight }) => weight > 0)
    .map(({ variation, weight }) => `${weight / 1_000}% ${variation}`)
  return `${epoch}: ${weights.join(', ')}`
}

/** To a comparison by goals that are fixed before it starts. */
export function ExperimentPanel() {
  const { project, environment } = useScope()
  const { key } = useFlag()
  const search = { env: environment.key, flag: key }
  return (
    <Panel title="Experiments">
      <div className="grid justify-items-start gap-8">
        <p className="text-pretty text-12 text-text-2">
          Impact shows harm. An experiment decides whether a variation is better, by goals fixed at the start.
        </p>
        <span className="flex flex-wrap gap-8">
          <Link
            to="/p/$project/experiments"
            params={{ project }}
            search={{ ...search, new: true }}
            className={buttonClass('normal', 'small')}
          >
            New experiment
          </Link>
          <Link
            to="/p/$project/experiments"
            params={{ project }}
            search={search}
            className={buttonClass('quiet', 'small')}
          >
            Of this flag
          </Link>
        </span>
      </div>
    </Panel>
  )
}

/** Links to the users of each variation. */
export function LivedThroughPanel({ compared }: { compared: Compared }) {
  const sides = [compared.comparison.treatment, compared.control]
  return (
    <Panel title="What users experienced">
      <ul className="grid gap-8">
        {sides.map((variation) => (
          <li key={variation} className="grid gap-2">
            <VariationName variation={variation} />
            <span className="flex flex-wrap gap-x-12">
              <CrossLinks variation={variation} look="links" />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
