import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type DescribedChangeRequest, decideChangeRequest } from '../../api/change-requests.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { ConfigDiff, DiffView } from '../../ui/diff/diff-view.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type Choices, chooseOverlaps, type Ground, type Side } from './choose-overlaps.ts'
import { FaultsNotice } from './faults-notice.tsx'
import { groundOf, partName, partTexts } from './part-words.ts'
import { useChanging } from './use-changing.ts'

const sides = [
  { value: 'mine', label: 'Mine' },
  { value: 'theirs', label: 'Theirs' },
] as const

/** Both sides changed the same parts: the author chooses one for each, and previews the result. */
export function RebaseDialog(props: { request: DescribedChangeRequest; onClose: () => void }) {
  const { request, onClose } = props
  const { project } = useScope()
  const [choices, setChoices] = useState<Choices>({})
  const [comment, setComment] = useState('')
  const rebasing = useChanging(decideChangeRequest, onClose)
  const ground = groundOf(request)
  // Other members may save in the meantime: a choice only counts for the parts that still conflict.
  const chosen = Object.fromEntries(Object.entries(choices).filter(([at]) => request.overlaps.includes(at)))
  const config = chooseOverlaps(ground, chosen)

  return (
    <Dialog
      title={`Rebase the change of ${request.flag}`}
      description="Changes made on only one side are kept. For conflicts, choose a side."
      size="wide"
      onClose={onClose}
      onSubmit={() =>
        config &&
        !rebasing.isPending &&
        rebasing.mutate({
          project,
          request,
          decision: 'rebase',
          config,
          comment: comment.trim() || undefined,
        })
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!config} busy={rebasing.isPending}>
            Request approval again
          </Button>
        </>
      }
    >
      <UnsavedGuard when={Object.keys(choices).length > 0 || comment !== ''} what="the choice" />
      <FaultsNotice problem={rebasing.error && toProblem(rebasing.error)} />
      {request.overlaps.map((pointer) => (
        <Part
          key={pointer}
          ground={ground}
          pointer={pointer}
          choice={chosen[pointer]}
          onChoice={(side) => setChoices({ ...choices, [pointer]: side })}
        />
      ))}
      <section className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <h3 className="font-strong">Resulting change</h3>
        {config ? (
          <ConfigDiff label="From current to result" before={ground.theirs} after={config} />
        ) : (
          <p className="text-text-2">Choose for each part above to see the result.</p>
        )}
      </section>
      <TextArea
        label="Comment (optional)"
        hint="Shown in the history."
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
      />
    </Dialog>
  )
}

type PartProps = {
  ground: Ground
  pointer: string
  choice: Side | undefined
  onChoice: (side: Side) => void
}

function Part({ ground, pointer, choice, onChoice }: PartProps) {
  const name = partName(ground, pointer)
  const part = partTexts(ground, pointer)
  return (
    <section aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="flex flex-wrap items-center justify-between gap-8">
        <h3 className="wrap-anywhere min-w-0 font-strong">{name}</h3>
        <Segmented<Side | 'open'>
          label={`Whose ${name}`}
          choices={sides}
          value={choice ?? 'open'}
          onValue={(side) => side !== 'open' && onChoice(side)}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Version title="Mine (proposed)" isChosen={choice === 'mine'} before={part.base} after={part.mine} />
        <Version
          title="Theirs (saved)"
          isChosen={choice === 'theirs'}
          before={part.base}
          after={part.theirs}
        />
      </div>
    </section>
  )
}

type VersionProps = { title: string; isChosen: boolean; before: string; after: string }

function Version({ title, isChosen, before, after }: VersionProps) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
      <span className="text-12 text-text-2">
        {title}
        {isChosen && <b className="font-strong text-text"> · kept</b>}
      </span>
      <DiffView label={title} before={before} after={after} />
    </div>
  )
}
