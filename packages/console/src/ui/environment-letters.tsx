export interface EnvironmentLetter {
  readonly key: string
  readonly name: string
  readonly state: 'on' | 'some' | 'off'
}

const looks = {
  on: 'border-ink bg-ink text-on-ink forced-color-adjust-none',
  some: 'border-control bg-[linear-gradient(0deg,var(--line-strong)_45%,transparent_45%)] text-text',
  off: 'border-line-strong text-text-3',
}
const words = { on: 'on', some: 'partly on', off: 'off' }

/** One letter per environment: filled is on, half is on for some users, outlined is off. */
export function EnvironmentLetters({ environments }: { environments: readonly EnvironmentLetter[] }) {
  return (
    <span className="inline-flex gap-2">
      {environments.map(({ key, name, state }) => (
        <span
          key={key}
          role="img"
          aria-label={`${name} ${words[state]}`}
          title={`${name}: ${words[state]}`}
          className={`grid size-18 place-items-center rounded-chip border font-strong text-11 uppercase ${looks[state]}`}
        >
          {[...name][0]}
        </span>
      ))}
    </span>
  )
}
