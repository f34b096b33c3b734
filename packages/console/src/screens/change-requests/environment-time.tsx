import { useScope } from '../../shell/scope-context.ts'
import { useTimeZone } from '../../shell/time-display.ts'
import { Time, TimeZone } from '../../ui/text/time.tsx'

export function useEnvironmentZone(env: string): string | undefined {
  const { environments } = useScope()
  return useTimeZone(environments.find(({ key }) => key === env)?.timeZone)
}

/** In the time zone of the changed environment, regardless of the one selected above. */
export function EnvironmentTime({ at, env, none }: { at: string | null; env: string; none?: string }) {
  const zone = useEnvironmentZone(env)
  return (
    <TimeZone value={zone}>
      <Time at={at} {...(none === undefined ? {} : { none })} />
    </TimeZone>
  )
}
