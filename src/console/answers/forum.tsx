import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ForumPost, ForumPostPage } from '../../contract/operations/forum.ts';
import type { ForumThread } from '../../contract/operations/forum-comments/operation.ts';
import { Chart } from '../charts/chart.tsx';
import { Button, Chip, Choices, SearchInput, useTurned } from '../parts/controls.tsx';
import { Ago, Card, Facts, Meter, OutLink, Picture, Pill } from '../parts/display.tsx';
import { month, number, plural, share, shortDay, unbroken } from '../parts/format.ts';
import { DataTable, Windowed } from '../parts/table.tsx';
import { BulkChip, NextLink } from '../workbench/lookups.tsx';
import { figuresOf } from './comment-figures.ts';
import { COMMENT_SORTS, type CommentSort, commentTree, type ShownComment, shownComments } from './comment-order.ts';
import { stated } from './shared.tsx';

type SortProps<T extends string> = Readonly<{ sorts: Readonly<Record<T, readonly [words: string, ...rest: unknown[]]>>; sort: Signal<T> }>;
/** An order of these, chosen in a popover. */
const SortChip = <T extends string>({ sorts, sort }: SortProps<T>) => (
  <Chip name="Sort" value={sorts[sort.value][0]}>
    {() => (
      <Choices
        isList
        legend="Sort"
        value={sort.value}
        choose={(id) => (sort.value = id)}
        choices={(Object.keys(sorts) as T[]).map((id) => [id, sorts[id][0]] as const)}
      />
    )}
  </Chip>
);

const ROW_PX = 92;
const points = (score: number): string => plural(score, 'point');

/** A post with its text; `alone`: the post of a thread, whose comments are already there. */
function ForumPostCard({ post, alone = false }: { post: ForumPost; alone?: boolean }) {
  const { community } = post;
  return (
    <article class="forum-post">
      <h2>
        <OutLink href={post.permalink}>{stated(post.title)}</OutLink> {post.flair !== null && <span class="pill">{post.flair}</span>}{' '}
        {post.isStickied && <span class="pill">Pinned</span>}
      </h2>
      <p class="about">
        {stated(post.score, points)} · {stated(post.upvoteRatio, (ratio) => `${share(ratio)} upvoted`)} ·{' '}
        {stated(post.numComments, (count) => plural(count, 'comment'))} · by {stated(post.author)} in{' '}
        {community === null ? stated(community) : <NextLink id="forum-community" values={{ community }} name={community} />} ·{' '}
        {post.createdAt === null ? stated(post.createdAt) : <Ago at={post.createdAt} />}{' '}
        {!alone && <NextLink id="forum-comments" values={{ postId: post.postId }} name="Comments" />}
      </p>
      {alone && post.selftext && <p class="text">{post.selftext}</p>}
      <details>
        <summary>{!alone && post.selftext ? 'Text and more' : 'More'} of this post</summary>
        {!alone && post.selftext && <p class="text">{post.selftext}</p>}
        <Facts
          facts={{
            'Links to': post.url && <OutLink href={post.url} />,
            Discussion: post.permalink && <OutLink href={post.permalink} />,
            Domain: post.domain,
            'Text post': post.isSelf,
            Video: post.isVideo,
            Pinned: post.isStickied,
            Flair: post.flair,
            Text: post.selftext === null ? null : 'stated',
            'Community id': post.communityId,
            Preview: post.thumbnail && <Picture src={post.thumbnail} what="Preview" />,
            Id: <code>{post.postId}</code>,
          }}
        />
      </details>
    </article>
  );
}

/** Orders of the posts of a page: as the platform lists them, or the largest first. */
const POST_SORTS = {
  platform: ['As on Reddit', null],
  score: ['Points', (post: ForumPost) => post.score],
  comments: ['Comments', (post: ForumPost) => post.numComments],
  newest: ['Newest', (post: ForumPost) => post.createdAt && Date.parse(post.createdAt)],
} as const;
type PostSort = keyof typeof POST_SORTS;

export function ForumPostPageView({ resource: { posts, hasMore } }: { resource: ForumPostPage }) {
  const sort = useSignal<PostSort>('platform');
  const sought = useSignal('');
  const wanted = sought.value.trim().toLowerCase();
  const [, by] = POST_SORTS[sort.value];
  const found = posts.filter(({ title, author, selftext }) =>
    [title, author, selftext].some((text) => text?.toLowerCase().includes(wanted)),
  );
  const shown = by ? [...found].sort((a, b) => Number(by(b) ?? -Infinity) - Number(by(a) ?? -Infinity)) : found;
  return (
    <div class="stack">
      <p class="about">
        {plural(posts.length, 'post')} on this page; {hasMore ? 'more follow on the next one' : 'nothing follows'}.
      </p>
      <div class="toolbar">
        <SearchInput label="Find in these posts" value={sought.value} set={(text) => (sought.value = text)} />
        <SortChip sorts={POST_SORTS} sort={sort} />
        <BulkChip id="forum-comments" parameter="postId" values={posts.map((p) => p.postId)} />
        <span class="about" role="status">
          {wanted && plural(shown.length, 'match', 'matches')}
        </span>
      </div>
      <div class="posts">
        {shown.map((post) => (
          <ForumPostCard key={post.postId} post={post} />
        ))}
        {shown.length === 0 && <p class="none">{wanted ? 'No post matches.' : 'No posts.'}</p>}
      </div>
    </div>
  );
}

/** Indentation ends here, so that deep threads stay readable. */
const MAX_INDENT = 12;

function Comment({ shown, turn }: { shown: ShownComment; turn: (commentId: string) => void }) {
  const { comment, below } = shown.node;
  const author = comment.author ?? 'an author who is not stated';
  return (
    <article
      class={shown.matches ? 'comment' : 'comment context'}
      style={{ marginInlineStart: `${Math.min(shown.depth, MAX_INDENT) * 12}px` }}
    >
      <p class="about">
        {below > 0 && (
          <Button
            text={shown.collapsed ? '+' : '–'}
            class="turn"
            aria-expanded={!shown.collapsed}
            aria-label={`Answers to ${author}`}
            onClick={() => turn(comment.commentId)}
          />
        )}
        <strong>{stated(comment.author)}</strong> · {stated(comment.score, points)} ·{' '}
        <OutLink href={comment.permalink}>{comment.createdAt === null ? 'no date' : <Ago at={comment.createdAt} />}</OutLink>
        {comment.isStickied && [' ', <Pill key="pinned" tone="plain" icon="star" text="Pinned" />]}
        {shown.collapsed && ` · ${plural(below, 'answer')} hidden`}
      </p>
      <p class="text">{stated(comment.body)}</p>
    </article>
  );
}

/** A place of the chart, UTC. */
const LABELS: Readonly<Record<string, (place: string) => string>> = {
  minute: (place) => place.slice(11),
  hour: (place) => unbroken(`${shortDay(place.slice(0, 10))}, ${place.slice(11)}:00`),
  day: shortDay,
  month,
};

/** What the comments of the answer say together. */
function ThreadFigures({ resource: { post, comments } }: { resource: ForumThread }) {
  const { levels, authors, medianScore, busiest, byTime } = useMemo(() => figuresOf({ comments }), [comments]);
  const [[, most] = ['', 1]] = busiest;
  return (
    <div class="stack">
      <Card
        inset
        title="Thread"
        aside="counted from this answer"
        facts={{
          Comments: `${number(comments.length)} here, ${post.numComments === null ? 'of an unstated number' : `${number(post.numComments)} stated`}`,
          Deepest: `level ${levels}`,
          Authors: number(authors),
          'Median points': medianScore ?? undefined,
        }}
      />
      {byTime && (
        <Card title={`Comments by ${byTime.unit}`} aside="UTC">
          <Chart
            title={`Comments by ${byTime.unit}`}
            places={byTime.places}
            label={LABELS[byTime.unit]}
            series={[{ name: 'Comments', values: byTime.counts }]}
          />
        </Card>
      )}
      <Card title="Most active">
        {busiest.length > 0 && (
          <DataTable
            caption="Most active"
            rows={busiest}
            columns={[
              { name: 'Author', isHead: true, of: ([author]) => author },
              { name: 'Compared', of: ([, count]) => <Meter share={count / most} /> },
              { name: 'Comments', as: 'number', of: ([, count]) => number(count) },
            ]}
          />
        )}
      </Card>
    </div>
  );
}

export function ForumThreadView({ resource }: { resource: ForumThread }) {
  const sort = useSignal<CommentSort>('thread');
  const sought = useSignal('');
  const [collapsed, turn, collapse] = useTurned();
  const roots = useMemo(() => commentTree(resource.comments), [resource]);
  const filter = { sort: sort.value, sought: sought.value, collapsed };
  const shown = useMemo(() => shownComments(roots, filter), [roots, ...Object.values(filter)]);
  const collapseAll = (): void => collapse(collapsed.size ? [] : roots.flatMap((r) => (r.below > 0 ? r.comment.commentId : [])));
  const matches = sought.value.trim() ? shown.filter((s) => s.matches).length : null;
  return (
    <div class="columns">
      <div class="thread">
        <ForumPostCard post={resource.post} alone />
        <div class="toolbar">
          <h2>{plural(resource.comments.length, 'comment')}</h2>
          <SearchInput label="Search" value={sought.value} set={(text) => (sought.value = text)} />
          <SortChip sorts={COMMENT_SORTS} sort={sort} />
          <Button text={collapsed.size ? 'Expand all' : 'Collapse all'} class="quiet" onClick={collapseAll} />
          <span class="about" role="status">
            {matches === null ? '' : plural(matches, 'match', 'matches')}
          </span>
        </div>
        <div class="tree">
          <Windowed items={shown} rowHeightPx={ROW_PX} chunkSize={40}>
            {(row) => <Comment key={row.node.comment.commentId} shown={row} turn={turn} />}
          </Windowed>
          {shown.length === 0 && <p class="none">{sought.value.trim() ? 'No comment matches.' : 'No comments.'}</p>}
        </div>
      </div>
      {resource.comments.length > 0 && <ThreadFigures resource={resource} />}
    </div>
  );
}
