import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { browserRoutes } from './routes.jsx'

const hydrationData = Reflect.get(globalThis, '__staticRouterHydrationData')
const router = createBrowserRouter(browserRoutes, { hydrationData })
const root = document.getElementById('root')
if (root) hydrateRoot(root, <RouterProvider router={router} />)
