// Finds the operation that a request is for, in the document of the app. The routes are added after the checks that ask
// for them: they are read once, with the first request.

import { matchedRoutes } from 'hono/route'
import { METHODS } from 'hono/router'
import { z } from '@hono/zod-openapi'
import type { AppContext, OpenApiApp } from '../context.ts'
import { type Declared, needField, type Need } from '../contract/need.ts'

export type Operation = {
  readonly id: string | undefined
  readonly need: Need
  /** The names of its query parameters. */
  readonly parameters: readonly string[]
}

export type Operations = {
  /** The operation that responds; undefined for an unknown path or method. Throws for a route that is not declared. */
  of(c: AppContext): Operation | undefined
  /** Those with this path, whatever their method. */
  at(path: string): readonly Operation[]
  /** The methods of everything at this path, in upper case. */
  methodsAt(path: string): readonly string[]
}

export function createOperations(app: OpenApiApp): Operations {
  const read = () => {
    const routes = app.openAPIRegistry.definitions.flatMap((one) => (one.type === 'route' ? [one.route] : []))
    return new Map(
      routes.flatMap((route) => {
        const { [needField]: need } = route as typeof route & Partial<Declared>
        const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
        const parameters = namesIn(route.request?.query)
        return need === undefined
          ? []
          : [[`${route.method} ${path}`, { id: route.operationId, need, parameters }] as const]
      }),
    )
  }
  const known: { all?: ReadonlyMap<string, Operation> } = {}
  const find = ({ method, path }: { readonly method: string; readonly path: string }) => {
    const found = (known.all ??= read()).get(`${method.toLowerCase()} ${path}`)
    if (found === undefined) throw new Error(`${method} ${path} declares no need.`)
    return found
  }
  const routesAt = (path: string) =>
    METHODS.flatMap((method) => {
      const [handlers] = app.router.match(method.toUpperCase(), path)
      return handlers.map(([[, route]]) => route).find((route) => route.method !== 'ALL') ?? []
    })
  return {
    of: (c) => {
      const route = matchedRoutes(c).find(({ method }) => method !== 'ALL')
      return route === undefined ? undefined : find(route)
    },
    at: (path) => routesAt(path).map(find),
    methodsAt: (path) => routesAt(path).map(({ method }) => method),
  }
}

function namesIn(query: unknown): readonly string[] {
  if (query === undefined) return []
  if (query instanceof z.ZodObject) return Object.keys(query.shape)
  throw new Error('The query of an operation is an object.')
}
