import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { flagOverridesQuery, type OverrideRow } from '../../../api/flag-configs.ts'
import { deleteOverride, putOverride } from '../../../api/overrides.ts'
import { toProblem } from '../../../api/problem.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Async, Skeleton } from '../../../ui/states.tsx'
import { LoadMore } from '../../../ui/table/load-more.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { Variation } from '../../../ui/variation.tsx'
import { Section } from './section.tsx'
import { useTargeting } from './targeting-context.ts'
import { VariationSelect } from './variation-select.tsx'

/** Identities with a fixed variation, regardless of the rules. Not part of the draft. */
export function OverridesPanel() {
  const { place, mayOverride, envName } = useTargeting()
  const overrides = useInfiniteQuery(flagOverridesQuery(place))
  const queryClient = useQueryClient()
  const settle = () => queryClient.invalidateQueries({ queryKey: flagOverridesQuery(place).queryKey })
  const put = useMutation({ mutationFn: putOverride, onSettled: settle })
  const removal = useMutation({ mutationFn: deleteOverride, onSettled: settle })
  const error = put.error ?? removal.error
  const problem = error && toProblem(error)

  function remove({ targetingKey, variation }: OverrideRow) {
    const at = { ...place, targetingKey }
    removal.mutate(at, {
      onSuccess: () =>
        showToast({
          text: `Override of ${targetingKey} removed.`,
          undo: () => put.mutate({ place: at, variation }),
        }),
    })
  }

  return (
    <Section title="Identity overrides" note={`applied before the rules; saved immediately in ${envName}`}>
      <div className="rounded-panel border border-line bg-surface">
        {problem && (
          <div className="p-12">
            <ProblemNotice problem={problem} />
          </div>
        )}
        <Async
          of={overrides}
          loading={<Skeleton rows={1} label="Loading the overrides" />}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={<p className="px-14 py-10 text-text-2">No overrides</p>}
        >
          {({ pages }) => (
            <ul className="max-h-[320px] overflow-y-auto" aria-label="Identity overrides">
              {pages
                .flatMap(({ items }) => items)
                .map((row) => (
                  <OverrideLine
                    key={row.targetingKey}
                    row={row}
                    onRemove={mayOverride ? () => remove(row) : undefined}
                  />
                ))}
            </ul>
          )}
        </Async>
        <LoadMore of={overrides} />
        {mayOverride && (
          <NewOverride
            isBusy={put.isPending}
            onAdd={(targetingKey, variation) =>
              put.mutateAsync({ place: { ...place, targetingKey }, variation }).then(
                () => true,
                () => false,
              )
            }
          />
        )}
      </div>
    </Section>
  )
}

function OverrideLine({ row, onRemove }: { row: OverrideRow; onRemove: (() => void) | undefined }) {
  const { variations } = useTargeting()
  return (
    <li className="flex min-h-row min-w-0 items-center gap-12 border-line border-b px-14">
      <code className="min-w-0 flex-1 truncate text-12" title={row.targetingKey}>
        {row.targetingKey}
      </code>
      <Variation
        order={variations.findIndex(({ key }) => key === row.variation)}
        label={row.variation}
        isKey
      />
      <span className="text-12 text-text-3 max-wide:hidden">
        <TimeAgo at={row.createdAt} />
      </span>
      {onRemove && (
        <IconButton icon="close" small label={`Remove override of ${row.targetingKey}`} onClick={onRemove} />
      )}
    </li>
  )
}

type NewOverrideProps = {
  isBusy: boolean
  /** Whether it exists now. */
  onAdd: (targetingKey: string, variation: string) => Promise<boolean>
}

function NewOverride({ isBusy, onAdd }: NewOverrideProps) {
  const { variations } = useTargeting()
  const [targetingKey, setTargetingKey] = useState('')
  const [variation, setVariation] = useState(variations[variations.length > 1 ? 1 : 0]?.key ?? '')
  const [isChecked, setChecked] = useState(false)

  async function add() {
    setChecked(true)
    if (targetingKey === '' || isBusy) return
    if (await onAdd(targetingKey, variation)) {
      setTargetingKey('')
      setChecked(false)
    }
  }

  return (
    <form
      className="flex flex-wrap items-start gap-8 px-14 py-8"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <div className="min-w-0 max-w-card flex-1 basis-[22ch]">
        <Field
          label="Identity to override"
          hideLabel
          code
          placeholder="Targeting key of an identity"
          maxLength={limits.targetingKeyLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={targetingKey}
          fault={isChecked && targetingKey === '' ? 'Enter a targeting key.' : undefined}
          onChange={(event) => setTargetingKey(event.currentTarget.value)}
        />
      </div>
      <VariationSelect label="Variation" value={variation} onValue={setVariation} />
      <Button type="submit" busy={isBusy}>
        Add override
      </Button>
    </form>
  )
}
