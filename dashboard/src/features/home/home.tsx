// The start: the projects. (What needs attention joins them when the API tells it.)

export { Projects as Home } from '../projects/projects.tsx'
