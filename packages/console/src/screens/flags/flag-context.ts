import { createContext, use } from 'react'
import type { ConfigRef } from '../../api/flag-configs.ts'
import type { WholeFlag } from '../../api/flags.ts'
import { useScope } from '../../shell/scope-context.ts'

export const FlagContext = createContext<WholeFlag | undefined>(undefined)

/** The flag of the tabs. */
export function useFlag(): WholeFlag {
  const flag = use(FlagContext)
  if (!flag) throw new Error('used outside a flag screen')
  return flag
}

/** The flag in the environment of the screen. */
export function useConfigRef(): ConfigRef {
  const { project, environment } = useScope()
  return { project, env: environment.key, flag: useFlag().key }
}
