import { shareText } from '../../ui/text/measure-text.ts'
import { NoneFailed } from './none-failed.tsx'

type FailedShareProps = { share: number | null; failed: number }

/** From this share on, it counts as a problem. */
const failingShare = 0.05

/** Share first: a thousand failures may be a small share. */
export function FailedShare({ share, failed }: FailedShareProps) {
  if (share === null || failed === 0) return <NoneFailed />
  return (
    <span className={share >= failingShare ? 'font-medium text-bad' : ''}>
      {shareText(share)}
      <span className="font-regular text-12 text-text-3 wide:sr-only"> failed</span>
    </span>
  )
}
