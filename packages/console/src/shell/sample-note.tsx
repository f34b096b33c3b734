import { useNavigate } from '@tanstack/react-router'
import { sampleText } from '../ui/text/sample-text.ts'

type SampleNoteProps = { sample: number | undefined; isAfterText?: boolean }

/** Counts that are estimated say so, and can be repeated over all events. Its route must name `exact`. */
export function SampleNote({ sample, isAfterText = false }: SampleNoteProps) {
  const navigate = useNavigate()
  const text = sampleText(sample)
  if (text === undefined) return null
  const countAll = () =>
    void navigate({ to: '.', search: (now) => ({ ...now, exact: true }), hash: true, resetScroll: false })
  return (
    <span className="whitespace-nowrap">
      {isAfterText && ' · '}
      {text}{' '}
      <button type="button" className="text-accent hover:underline" onClick={countAll}>
        Count all
      </button>
    </span>
  )
}
