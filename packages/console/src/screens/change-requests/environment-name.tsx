import { useScope } from '../../shell/scope-context.ts'
import { EnvironmentMark } from '../../ui/environment-mark.tsx'

/** The key of a deleted environment. */
export function useEnvironmentName(env: string): string {
  return useScope().environments.find(({ key }) => key === env)?.name ?? env
}

/** By name, with its colour. A deleted environment is shown by its key. */
export function EnvironmentName({ env }: { env: string }) {
  const environment = useScope().environments.find(({ key }) => key === env)
  if (!environment) return <code className="text-text-2">{env}</code>
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-6 align-bottom">
      <EnvironmentMark environment={environment} />
      <span className="truncate">{environment.name}</span>
    </span>
  )
}
