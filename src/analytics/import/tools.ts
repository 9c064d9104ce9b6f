// The other tools whose page views an import reads. They identify their visitors themselves, by sessions.

export const tools = ['goatcounter', 'umami'] as const
export type Tool = (typeof tools)[number]

export function isTool(name: string): name is Tool {
  return tools.some((tool) => tool === name)
}
