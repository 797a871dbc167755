import type { ForumPost, ForumPostPage } from '../../contract/operations/forum.ts';
import { moment, number, plural, share } from '../parts/format.ts';
import { OutLink, Picture } from '../parts/links.tsx';
import { Facts, NotStated, Stated, yesNo } from '../parts/stated.tsx';

export function ForumPostCard({ post }: { post: ForumPost }) {
  return (
    <article class="card forum-post">
      <div class="score" title="Score">
        <strong>{post.score === null ? '–' : number(post.score)}</strong>
        <small>{post.score === null ? 'score not stated by the source' : 'points'}</small>
      </div>
      <div>
        <p class="small">
          {post.community === null ? <NotStated /> : `r/${post.community}`} · <Stated value={post.author}>{(a) => `u/${a}`}</Stated> ·{' '}
          <Stated value={post.createdAt}>{moment}</Stated>
        </p>
        <h3>
          <OutLink href={post.permalink}>{post.title ?? <NotStated />}</OutLink>{' '}
          {post.flair !== null && <span class="label">{post.flair}</span>} {post.isStickied && <span class="label">Pinned</span>}
        </h3>
        {post.selftext !== null && post.selftext !== '' && <p class="text clamp">{post.selftext}</p>}
        <p class="small">
          {post.numComments === null ? (
            <>
              Comments: <NotStated />
            </>
          ) : (
            plural(post.numComments, 'comment')
          )}{' '}
          ·{' '}
          {post.upvoteRatio === null ? (
            <>
              Upvotes: <NotStated />
            </>
          ) : (
            `${share(post.upvoteRatio)} upvoted`
          )}
        </p>
        <details>
          <summary>More of this post</summary>
          <Facts
            facts={[
              ['Links to', post.url && <OutLink href={post.url} />],
              ['Discussion', post.permalink && <OutLink href={post.permalink} />],
              ['Domain', post.domain],
              ['Text post', yesNo(post.isSelf)],
              ['Video', yesNo(post.isVideo)],
              ['Pinned', yesNo(post.isStickied)],
              ['Flair', post.flair],
              ['Community id', post.communityId],
              ['Preview', post.thumbnail === null ? null : <Picture src={post.thumbnail} what="Preview" />],
              ['Id', <code key="id">{post.postId}</code>],
            ]}
          />
        </details>
      </div>
    </article>
  );
}

/** A page of posts, with the cursor of the next one. */
export function ForumPostPageView({ resource, next }: { resource: ForumPostPage; next?: (after: string) => void }) {
  const { after } = resource;
  return (
    <div class="posts">
      <p class="small">
        {plural(resource.posts.length, 'post')} on this page; {resource.hasMore ? 'more follow' : 'nothing follows'}.
      </p>
      {resource.posts.map((post) => (
        <ForumPostCard key={post.postId} post={post} />
      ))}
      {after !== null && (
        <p class="small">
          Cursor of the next page: <code>{after}</code>{' '}
          {next && (
            <button type="button" class="quiet" onClick={() => next(after)}>
              Run the next page
            </button>
          )}
        </p>
      )}
    </div>
  );
}
