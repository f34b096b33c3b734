import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FlagTelltale } from '../telltale/flag-telltale.tsx'

type FlagLinkProps = {
  /** The flag key. */
  flag: string
  /** The environment to show. Default: the one of this screen. */
  env?: string
  /** With it the link looks like a button. Default: the key. */
  children?: ReactNode
}

/** A link to a flag, with its telltale if it has a guard. */
export function FlagLink({ flag, env, children }: FlagLinkProps) {
  const { project, environment } = useScope()
  return (
    <>
      <Link
        to="/p/$project/flags/$flag"
        params={{ project, flag }}
        search={{ env: env ?? environment.key }}
        className={children ? buttonClass('normal', 'small') : linkClass}
      >
        {children ?? flag}
      </Link>
      {!children && <FlagTelltale flag={flag} {...(env === undefined ? {} : { env })} look="mark" />}
    </>
  )
}

const linkClass = 'min-w-0 font-code text-accent [overflow-wrap:anywhere] hover:underline'
