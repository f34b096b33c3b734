import { Time } from './time.tsx'

type TimeByProps = { at: string; by: string | null }

/** When something was done, and by which member. */
export function TimeBy({ at, by }: TimeByProps) {
  return (
    <span>
      <Time at={at} /> by {by}
    </span>
  )
}
