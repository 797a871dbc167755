import type { ComponentChildren } from 'preact';
import type { MicroblogPost } from '../../contract/operations/microblog-post/operation.ts';
import type { ShortVideo } from '../../contract/operations/short-video/operation.ts';
import { type Fact, Facts, Moment, NotStatedLine, OutLink, Picture, Pill, Tags } from '../parts/display.tsx';
import { capital, country, duration, number, share, words } from '../parts/format.ts';
import { type Stat, Stats } from '../parts/stats.tsx';
import { Head, nullsIn, stated, TwoColumns, worded } from './shared.tsx';

interface PostProps {
  readonly what: string;
  readonly resource: ShortVideo | MicroblogPost;
  readonly id: string;
  readonly facts: Readonly<Record<string, Fact[1]>>;
  readonly children: ComponentChildren;
}

/** Figures with their share of the views, which is computed here, the author, and what the post says. */
function Post({ what, resource: { metrics, author, hashtags, url }, id, facts, children }: PostProps) {
  const figures = Object.entries(metrics).flatMap(([name, value]): Stat[] => {
    if (value === null) return [];
    const part = metrics.views && name !== 'views' ? `${share(value / metrics.views)} of views, computed` : undefined;
    return [[capital(words(name)), number(value), part]];
  });
  const all = {
    ...facts,
    Verified: author.isVerified,
    Hashtags: <Tags tags={hashtags.map((tag) => `#${tag}`)} />,
    [capital(what)]: link(url),
    Id: <code>{id}</code>,
  };
  return (
    <TwoColumns class="post" about={`About the ${what}`} aside={<Facts facts={all} />}>
      {figures.length > 0 && <Stats stats={figures} />}
      <NotStatedLine names={nullsIn(metrics).map((name) => capital(words(name)))} />
      <Head picture={author.avatarUrl} what="Avatar">
        <p>
          <strong>{stated(author.name)}</strong> {author.isVerified && <Pill tone="good" text="Verified" />}
        </p>
        <p class="about">{stated(author.handle, (handle) => `@${handle}`)}</p>
      </Head>
      {children}
    </TwoColumns>
  );
}

const link = (url: string | null) => url && <OutLink href={url} />;

export const ShortVideoView = ({ resource }: { resource: ShortVideo }) => (
  <Post
    what="video"
    resource={resource}
    id={resource.videoId}
    facts={{
      Posted: resource.createdAt && <Moment at={resource.createdAt} />,
      Length: worded(resource.durationMs, duration),
      Region: worded(resource.region, (code) => `${country(code)} (${code})`),
      Advertisement: resource.isAd,
      Sound: resource.music.title,
      'Sound by': resource.music.authorName,
    }}
  >
    <p class="text">{stated(resource.description)}</p>
    <Picture src={resource.coverUrl} what="Cover" />
  </Post>
);

export const MicroblogPostView = ({ resource }: { resource: MicroblogPost }) => (
  <Post
    what="post"
    resource={resource}
    id={resource.postId}
    facts={{
      Published: resource.publishedAt && <Moment at={resource.publishedAt} />,
      Language: resource.language,
      'Quotes another post': resource.isQuote,
      Links: resource.links.length ? resource.links.map((each) => <p key={each}>{link(each)}</p>) : 'none',
      Conversation: resource.conversationId,
    }}
  >
    <p class="text large">{stated(resource.text)}</p>
    {resource.media.length > 0 && (
      <ul class="media">
        {resource.media.map((m, index) => (
          <li key={`${index}${m.url}`}>
            <Picture src={m.thumbnailUrl ?? m.url} what={`Medium ${index + 1}`} />
            <p class="about">{link(m.url) ?? stated(m.url)}</p>
          </li>
        ))}
      </ul>
    )}
  </Post>
);
