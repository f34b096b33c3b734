const colours = {
  grey: { fill: 'bg-env-grey', line: 'border-env-grey' },
  blue: { fill: 'bg-env-blue', line: 'border-env-blue' },
  teal: { fill: 'bg-env-teal', line: 'border-env-teal' },
  green: { fill: 'bg-env-green', line: 'border-env-green' },
  amber: { fill: 'bg-env-amber', line: 'border-env-amber' },
  orange: { fill: 'bg-env-orange', line: 'border-env-orange' },
  red: { fill: 'bg-env-red', line: 'border-env-red' },
  violet: { fill: 'bg-env-violet', line: 'border-env-violet' },
}

export type EnvironmentColour = keyof typeof colours

type EnvironmentMarkProps = { environment: { colour: EnvironmentColour; protected: boolean } }

/** The colour of an environment; the shape also carries meaning: a filled square where changes are protected. */
export function EnvironmentMark({ environment }: EnvironmentMarkProps) {
  const { fill, line } = colours[environment.colour]
  return (
    <span
      aria-hidden="true"
      className={`size-8 shrink-0 forced-color-adjust-none ${environment.protected ? `rounded-chip ${fill}` : `rounded-round border-2 ${line}`}`}
    />
  )
}
