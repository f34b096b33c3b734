import { createRootRouteWithContext } from '@tanstack/react-router'
import { Root, type RouterContext } from '../shell/root.tsx'
import '../shell/route-facts.ts'

export const root = createRootRouteWithContext<RouterContext>()({ component: Root })
