import { type Filter, parseSequence, printFilter, printSequence } from '@telltale/core/query/filter'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SequenceDialog } from './sequence-dialog.tsx'

type SequenceBarProps = {
  /** As in the URL. */
  text: string
  onText: (text: string) => void
  isOpen: boolean
  onOpen: (open: boolean) => void
}

/** The event sequence that the sessions must contain. */
export function SequenceBar({ text, onText, isOpen, onOpen }: SequenceBarProps) {
  const parsed = text === '' ? undefined : parseSequence(text)
  const steps: readonly Filter[] = parsed?.ok ? parsed.result : []
  const fault = parsed?.ok === false ? parsed.faults[0]?.message : undefined

  return (
    <>
      {text !== '' && (
        <div className="flex min-h-24 flex-wrap items-center gap-6">
          <span className="text-12 text-text-2">Event sequence</span>
          <button
            type="button"
            title="Change event sequence"
            onClick={() => onOpen(true)}
            className="inline-flex min-h-24 min-w-0 max-w-full cursor-pointer flex-wrap items-center gap-4 rounded-control bg-accent-soft px-8 font-code text-12"
          >
            {fault === undefined ? <Steps steps={steps} /> : text}
          </button>
          <IconButton icon="close" label="Remove event sequence" small onClick={() => onText('')} />
          {fault !== undefined && (
            <span role="alert" className="text-12 text-bad">
              {fault}
            </span>
          )}
        </div>
      )}
      {isOpen && (
        <SequenceDialog
          steps={steps}
          onSteps={(next) => {
            onText(printSequence(next))
            onOpen(false)
          }}
          onClose={() => onOpen(false)}
        />
      )}
    </>
  )
}

function Steps({ steps }: { steps: readonly Filter[] }) {
  return steps.map((step, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its index.
      key={index}
      className="inline-flex min-w-0 items-center gap-4"
    >
      {index > 0 && <Icon name="right" className="size-12 text-text-3" />}
      <span className="truncate">{printFilter(step)}</span>
    </span>
  ))
}
