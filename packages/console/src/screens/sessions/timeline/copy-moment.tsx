import { useLocation } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/copy.tsx'
import { lengthText } from '../../../ui/measure-text.ts'

/** The address of what is seen, to send to somebody else. */
export function CopyMoment() {
  const href = useLocation({ select: (location) => location.href })
  const seconds = new URLSearchParams(href.split('#')[1] ?? '').get('t')
  const { said, copy } = useCopy(window.location.origin + href)
  const name = seconds === null ? 'Copy link' : `Copy link at ${lengthText(Number(seconds) * 1_000)}`
  return (
    <Button icon={said === 'Copied' ? 'check' : 'link'} onClick={copy} aria-label={name}>
      <span className="max-wide:hidden">{said ?? name}</span>
      <span role="status" className="sr-only">
        {said}
      </span>
    </Button>
  )
}
