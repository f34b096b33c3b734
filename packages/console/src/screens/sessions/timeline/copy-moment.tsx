import { useLocation } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/copy.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import type { Playback } from '../replay/playback.ts'
import { printInstant, readInstant } from './playhead.ts'
import { usePlayheadAt } from './playhead-place.ts'

/** Copies a link to the current moment; during playback, to the moment of the click. */
export function CopyMoment({ playback }: { playback: Playback | undefined }) {
  const href = useLocation({ select: (location) => location.href })
  const { at, event } = readInstant(href.split('#')[1] ?? '')
  return playback ? (
    <CopyPlayed playback={playback} href={href} />
  ) : (
    <CopyInstant href={href} at={at} event={event} />
  )
}

function CopyPlayed({ playback, href }: { playback: Playback; href: string }) {
  // The label updates once a second; the copied link is exact.
  const at = usePlayheadAt(playback, 1_000)
  return <CopyInstant href={href} at={at} event={undefined} exactly={playback} />
}

type CopyInstantProps = {
  href: string
  at: number | undefined
  event: string | undefined
  exactly?: Playback
}

function CopyInstant({ href, at, event, exactly }: CopyInstantProps) {
  const address = () => {
    const hash = exactly
      ? `#${printInstant(exactly.at(), exactly.event())}`
      : at === undefined
        ? ''
        : `#${printInstant(at, event)}`
    return `${window.location.origin}${href.split('#')[0]}${hash}`
  }
  const { status, copy } = useCopy(address)
  const name = at === undefined ? 'Copy link' : `Copy link at ${lengthText(at)}`
  return (
    <Button icon={status === 'Copied' ? 'check' : 'link'} onClick={copy} aria-label={name}>
      <span className="max-wide:hidden">{status ?? name}</span>
      <span role="status" className="sr-only">
        {status}
      </span>
    </Button>
  )
}
