/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Of the packages that the server hands out. */
  readonly BROWSER_SDK_VERSION: string
  readonly NODE_SDK_VERSION: string
}
