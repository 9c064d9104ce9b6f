// Adds the comments on lines of Docent's own pull requests. Each belongs to a message to the job.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table pull_comments (
    id text primary key,
    project_id text not null,
    number integer not null,
    message_id text not null references messages on delete cascade,
    path text not null,
    line integer not null,
    at text not null check (at in ('base', 'head')),
    quote text not null,
    text text not null,
    author text not null,
    created_at timestamptz not null,
    foreign key (project_id, number) references pulls on delete cascade
  )`,
  `create index pull_comments_pull on pull_comments (project_id, number, created_at)`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
