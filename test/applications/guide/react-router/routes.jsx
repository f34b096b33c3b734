// What the framework makes of app/routes.ts, with the root route and the error boundary of the guide.

import { Link } from 'react-router'
import { ErrorBoundary } from './app/error-boundary.tsx'
import Root, { loader } from './app/root.tsx'
import { Values } from './app/values.jsx'

function Crash() {
  throw new Error('the shelf is empty')
}

const children = [
  {
    index: true,
    element: (
      <>
        <Values />
        <Link to="/crash">crash</Link>
        <Link to="/nothing">nothing</Link>
      </>
    ),
  },
  { path: 'crash', Component: Crash, ErrorBoundary },
  {
    path: 'nothing',
    loader: () => {
      throw new Response('no such page', { status: 404 })
    },
    element: <p>never</p>,
    ErrorBoundary,
  },
]
export const serverRoutes = [{ id: 'root', path: '/', loader, Component: Root, children }]
/** The framework leaves the loader on the server. */
export const browserRoutes = [
  { id: 'root', path: '/', loader: () => null, shouldRevalidate: () => false, Component: Root, children },
]
