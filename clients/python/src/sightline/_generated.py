"""Made from the contract by `npm run generate`. Do not edit."""

# ruff: noqa

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._errors import SightlineError
from ._types import Answer, CallOptions, Operation

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Unpack

__all__ = [
    "Account",
    "AccountApps",
    "AccountCredits",
    "AccountKey",
    "AccountLedger",
    "AccountLedgerEntry",
    "AccountLimits",
    "AccountPrice",
    "AccountRequest",
    "AccountRequests",
    "AccountSites",
    "AccountUsage",
    "AccountUsageDay",
    "AccountUsageTiming",
    "AiOverview",
    "AiOverviewReference",
    "AppKeywordRanking",
    "AppKeywordRankingApp",
    "AppProfile",
    "AppProfileCategory",
    "AppProfileDeveloper",
    "AppProfilePricing",
    "AppRankings",
    "AppRankingsChoices",
    "AppRankingsKeyword",
    "AppRankingsKeywordApp",
    "AppRankingsKeywordDay",
    "AppRankingsSeen",
    "AppRankingsStanding",
    "AppRankingsStandingApp",
    "AppRankingsStandingAppFirstTen",
    "AppRankingsStandingAppFirstThree",
    "AppRankingsVisibility",
    "AppReviewPage",
    "AppReviewPageReview",
    "AppReviewPageSummary",
    "Calendar",
    "CategoryDetail",
    "CategoryDetailApp",
    "CategoryDetailBreadcrumb",
    "Contact",
    "DeveloperProfile",
    "DeveloperProfileApp",
    "DomainRegistration",
    "ForbiddenError",
    "ForumComment",
    "ForumPost",
    "ForumPostPage",
    "ForumThread",
    "InsufficientCreditsError",
    "InternalError",
    "InvalidRequestError",
    "MethodNotAllowedError",
    "MicroblogPost",
    "MicroblogPostAuthor",
    "MicroblogPostMedia",
    "MicroblogPostMetrics",
    "NewNotifyTarget",
    "NewWatch",
    "NewWatchList",
    "NewWatchWebhook",
    "NotCachedError",
    "NotFoundError",
    "NotImplementedError",
    "Notify",
    "NotifyEdit",
    "NotifyTarget",
    "NotifyTest",
    "NotifyTestResult",
    "OrganicEntry",
    "OrganicEntryRating",
    "OverloadedError",
    "Pagination",
    "PaidEntry",
    "Rankings",
    "RankingsChoices",
    "RankingsKeyword",
    "RankingsKeywordDay",
    "RankingsKeywordSite",
    "RankingsSeen",
    "RankingsStanding",
    "RankingsStandingOverviews",
    "RankingsStandingSite",
    "RankingsStandingSiteCited",
    "RankingsStandingSiteFirstPage",
    "RankingsStandingSiteFirstThree",
    "RankingsVisibility",
    "RateLimitedError",
    "Registrar",
    "RequestExplanation",
    "RequestExplanationAttempt",
    "RequestExplanationOther",
    "RequestExplanationStep",
    "RequestTooLargeError",
    "SearchResult",
    "ShortVideo",
    "ShortVideoAuthor",
    "ShortVideoMetrics",
    "ShortVideoMusic",
    "SitesEdit",
    "SitesEditApps",
    "TrafficEstimate",
    "TrafficEstimateCategoryRank",
    "TrafficEstimateCountryRank",
    "TrafficEstimateHistory",
    "TrafficEstimateTopCountry",
    "TrafficEstimateTrafficSources",
    "UnauthorizedError",
    "UnavailableError",
    "UpstreamBlockedError",
    "UpstreamChangedError",
    "UpstreamFailedError",
    "UpstreamRateLimitedError",
    "UpstreamTimeoutError",
    "UpstreamUnreachableError",
    "Watch",
    "WatchCalendar",
    "WatchChange",
    "WatchChanges",
    "WatchCheck",
    "WatchCourse",
    "WatchDeliveries",
    "WatchDeliveriesDelivery",
    "WatchDueDate",
    "WatchEdit",
    "WatchHistory",
    "WatchHistoryCheck",
    "WatchHistoryCheckSeries",
    "WatchImport",
    "WatchImportLeftOut",
    "WatchImportWatch",
    "WatchLastChange",
    "WatchLastCheck",
    "WatchWebhook",
    "WatchedCrossing",
    "WatchedNumber",
    "WatchedShare",
    "Watches",
]

class SearchResult(TypedDict):
    keyword: str
    """The keyword asked for."""
    searchEngine: Literal["engine_a", "engine_b"]
    """Which engine answered."""
    location: str
    """ISO 3166-1 alpha-2 country, upper case."""
    language: str
    """ISO 639-1 language, lower case."""
    device: Literal["desktop", "mobile"]
    """Device the page was made for."""
    totalResults: int | None
    """Number of results as stated; 0 only where the engine says that nothing was found."""
    checkedAt: str
    """When the source saw the page."""
    features: list[Literal["organic", "paid", "featured_snippet", "people_also_ask", "ai_overview", "local_pack", "shopping", "video", "image", "news", "knowledge_panel", "other"]]
    """Sections that are on the page, each once, in order of first appearance."""
    organic: list[OrganicEntry]
    """Organic entries by rank."""
    paid: list[PaidEntry]
    """Ads by rank."""
    aiOverview: AiOverview | None
    relatedSearches: list[str]
    """Related searches as shown."""


class OrganicEntry(TypedDict):
    rank: int
    """1-based place among organic entries; runs on over result pages."""
    absoluteRank: int
    """1-based place among all elements of the page in reading order; runs on over result pages."""
    domain: str
    """Host of `url`, lower case, as written."""
    url: str
    """Address of the result without tracking parameters."""
    title: str
    """Title as shown."""
    description: str | None
    """Snippet as shown."""
    breadcrumb: str | None
    """Address line as shown above the title."""
    websiteName: str | None
    """Name of the site as shown."""
    isFeaturedSnippet: bool
    """True for the answer box that stands above the list."""
    rating: OrganicEntryRating | None


class OrganicEntryRating(TypedDict):
    """A rating shown with the entry."""

    value: float
    """The rating as shown."""
    votesCount: int | None
    """Number of votes."""
    max: float
    """The top of the scale: as stated, else 5, 10 ("/10") or 100 (a percentage)."""


class PaidEntry(TypedDict):
    rank: int
    """1-based place among paid entries."""
    domain: str
    """Host of `url`."""
    url: str
    """Destination where the ad states it, else the click address."""
    title: str
    """Headline of the ad."""
    description: str | None
    """Text of the ad."""
    advertiserId: str | None
    """The engine's id of the advertiser, where stated."""


class AiOverview(TypedDict):
    """The generated answer above the results."""

    text: str
    """The generated text."""
    references: list[AiOverviewReference]
    """Cited pages, each once."""


class AiOverviewReference(TypedDict):
    domain: str
    """Host of the cited page."""
    url: str
    """Cited page."""
    title: str
    """Title of the cited page."""


class ShortVideo(TypedDict):
    videoId: str
    """Id of the video."""
    description: str | None
    """Caption."""
    url: str | None
    """Address of the video; with `/photo/` for picture posts."""
    createdAt: str | None
    """When it was posted."""
    region: str | None
    """Two-letter country where it was posted."""
    coverUrl: str | None
    """Cover picture: a signed address that expires after a few hours."""
    durationMs: int | None
    """Length in milliseconds; null for picture posts."""
    isAd: bool | None
    """Marked as an advertisement."""
    hashtags: list[str]
    """Hashtags without #, in the caption's own case."""
    metrics: ShortVideoMetrics
    author: ShortVideoAuthor
    music: ShortVideoMusic


class ShortVideoMetrics(TypedDict):
    views: int | None
    """Plays."""
    likes: int | None
    """Likes."""
    comments: int | None
    """Comments."""
    shares: int | None
    """Shares."""
    saves: int | None
    """Saves to collections."""


class ShortVideoAuthor(TypedDict):
    handle: str | None
    """Handle without @."""
    name: str | None
    """Display name."""
    avatarUrl: str | None
    """Picture of the author."""
    isVerified: bool | None
    """Verified by the platform."""


class ShortVideoMusic(TypedDict):
    title: str | None
    """Title of the sound."""
    authorName: str | None
    """Author of the sound."""


class MicroblogPost(TypedDict):
    postId: str
    """Id of the post."""
    text: str | None
    """Text with short links expanded and the links of media cut."""
    url: str | None
    """Address of the post."""
    publishedAt: str | None
    """When it was published."""
    language: str | None
    """Language as the platform writes it."""
    conversationId: str | None
    """Id of the post that began the conversation."""
    isQuote: bool | None
    """Quotes another post."""
    media: list[MicroblogPostMedia]
    """Media of the post."""
    links: list[str]
    """Links in the text, expanded."""
    hashtags: list[str]
    """Hashtags without #, in the author's case."""
    metrics: MicroblogPostMetrics
    author: MicroblogPostAuthor


class MicroblogPostMedia(TypedDict):
    url: str | None
    """Picture, or best variant of the video."""
    thumbnailUrl: str | None
    """Preview picture."""


class MicroblogPostMetrics(TypedDict):
    views: int | None
    """Views."""
    likes: int | None
    """Likes."""
    comments: int | None
    """Replies."""
    shares: int | None
    """Reposts."""
    quotes: int | None
    """Quotes."""
    bookmarks: int | None
    """Bookmarks."""


class MicroblogPostAuthor(TypedDict):
    handle: str | None
    """Handle without @."""
    name: str | None
    """Display name."""
    avatarUrl: str | None
    """Picture of the author."""
    isVerified: bool | None
    """Verified by the platform, paid marks included."""


class ForumPostPage(TypedDict):
    posts: list[ForumPost]
    """Posts in the order of the platform."""
    after: str | None
    """Cursor of the next page."""
    hasMore: bool
    """A next page exists."""


class ForumPost(TypedDict):
    community: str | None
    """Name of the community, without prefix."""
    communityId: str | None
    """Id of the community, with its type prefix."""
    postId: str
    """Id of the post, without prefix."""
    title: str | None
    """Title."""
    author: str | None
    """Author, `[deleted]` where the platform says so."""
    score: int | None
    """Score."""
    upvoteRatio: float | None
    """Share of upvotes, 0 to 1."""
    numComments: int | None
    """Number of comments as stated."""
    url: str | None
    """What the post links to; its own address for a text post."""
    selftext: str | None
    """Text in the platform's Markdown, as sent."""
    isSelf: bool | None
    """A text post."""
    isVideo: bool | None
    """A video hosted by the platform."""
    isStickied: bool | None
    """Pinned by moderators."""
    thumbnail: str | None
    """Preview picture."""
    createdAt: str | None
    """When it was posted."""
    permalink: str | None
    """Address of the discussion."""
    flair: str | None
    """Flair of the post."""
    domain: str | None
    """Domain of the link as stated."""


class ForumThread(TypedDict):
    post: ForumPost
    comments: list[ForumComment]
    """All comments, in pre-order."""


class ForumComment(TypedDict):
    postId: str
    """Id of the post."""
    commentId: str
    """Id of the comment, without prefix."""
    parentId: str | None
    """What it answers: `t3_` a post, `t1_` a comment."""
    author: str | None
    """Author, `[deleted]` where the platform says so."""
    body: str | None
    """Text in the platform's Markdown, as sent."""
    score: int | None
    """Score; null while hidden."""
    depth: int
    """0 for an answer to the post."""
    createdAt: str | None
    """When it was posted."""
    permalink: str | None
    """Address of the comment."""
    isStickied: bool | None
    """Pinned by moderators."""


class AppProfile(TypedDict):
    name: str | None
    """Name of the app."""
    description: str | None
    """Description as shown."""
    handle: str
    """Handle of the app."""
    rating: str | None
    """Rating as shown."""
    reviewCount: int | None
    """Number of reviews as stated."""
    developer: AppProfileDeveloper
    languages: list[str]
    """Languages of the app."""
    categories: list[AppProfileCategory]
    """Categories of the app."""
    worksWith: list[str]
    """What the app works with."""
    pricing: str | None
    """Price line as shown."""
    pricings: list[AppProfilePricing]
    """Plans in the order shown."""
    launchedDate: str | None
    """Day of launch."""
    builtForPlatform: Literal["TRUE", "FALSE"] | None
    """Built to the marketplace operator's standard."""
    logo: str | None
    """Logo."""


class AppProfileDeveloper(TypedDict):
    name: str | None
    """Name of the developer."""
    address: str | None
    """Postal address."""
    url: str | None
    """Developer's page in the marketplace."""
    website: str | None
    """Developer's own site."""


class AppProfileCategory(TypedDict):
    name: str | None
    """Name."""
    url: str | None
    """Address."""
    handle: str | None
    """Handle."""


class AppProfilePricing(TypedDict):
    name: str | None
    """Name of the plan."""
    price: str | None
    """Amount as shown, without its period."""
    period: str | None
    """Period of the price."""
    description: str | None
    """What else the plan says."""
    features: list[str]
    """Features of the plan."""


class AppReviewPage(TypedDict):
    reviews: list[AppReviewPageReview]
    """Reviews of this page."""
    summary: list[AppReviewPageSummary]
    """Number of reviews by stars."""
    pagination: Pagination


class AppReviewPageReview(TypedDict):
    appUrl: str | None
    """Address of the app."""
    appName: str | None
    """Name of the app."""
    reviewer: str | None
    """Name of the reviewing shop."""
    reviewCreatedDate: str | None
    """Day of the review, of its last edit where edited."""
    reviewerLocation: str | None
    """Country of the reviewer."""
    reviewerLatestUsedDate: str | None
    """How long the reviewer used the app, as printed."""
    reviewContent: str | None
    """Text; "" for a review of stars alone."""
    reviewId: str | None
    """Id of the review."""
    rating: int | None
    """Stars, 1 to 5."""


class AppReviewPageSummary(TypedDict):
    label: str | None
    """Stars."""
    count: int | None
    """Number of reviews."""


class Pagination(TypedDict):
    """Where this page stands."""

    hasNextPage: bool
    """A next page exists."""
    totalPages: int | None
    """The largest page that the page names; without labels 1 on the first page, null on later ones."""
    currentPage: int | None
    """This page."""


class AppKeywordRanking(TypedDict):
    keyword: str
    """The keyword asked for."""
    totalCount: int | None
    """Number of apps as stated."""
    apps: list[AppKeywordRankingApp]
    """Apps in the order shown."""
    pagination: Pagination
    hasResults: bool
    """The keyword has results: true where `totalCount` is above 0, past the last page, too."""


class AppKeywordRankingApp(TypedDict):
    name: str | None
    """Name of the app."""
    url: str | None
    """Address of the app."""
    handle: str | None
    """Handle of the app."""
    developer: str | None
    """Name of the developer."""
    isSponsored: bool | None
    """An ad."""
    isBuiltForPlatform: bool | None
    """Built to the marketplace operator's standard."""
    position: int | None
    """Organic: place over all pages; sponsored: place among the ads of its page."""
    rating: float | None
    """Rating."""


class DeveloperProfile(TypedDict):
    name: str | None
    """Name of the developer."""
    apps: list[DeveloperProfileApp]
    """All apps of the developer."""


class DeveloperProfileApp(TypedDict):
    name: str | None
    """Name of the app."""
    url: str | None
    """Address of the app."""
    handle: str | None
    """Handle of the app."""
    pricing: str | None
    """Price line as shown."""
    description: str | None
    """Tagline."""
    iconUrl: str | None
    """Icon."""
    rating: float | None
    """Rating."""
    reviewCount: int | None
    """Number of reviews."""


class CategoryDetail(TypedDict):
    name: str | None
    """Name of the category."""
    description: str | None
    """Description of the category."""
    appCount: int | None
    """Number of apps as stated; null for a topic."""
    apps: list[CategoryDetailApp]
    """Apps of this page in the order shown."""
    pagination: Pagination
    breadcrumbs: list[CategoryDetailBreadcrumb]
    """Path from the topic to this category."""
    subCategories: list[str]
    """Handles of the categories below."""
    level: Literal["topic", "secondary", "tertiary"] | None
    """Depth of the category."""


class CategoryDetailApp(TypedDict):
    name: str | None
    """Name of the app."""
    url: str | None
    """Address of the app."""
    handle: str | None
    """Handle of the app."""
    isSponsored: bool | None
    """An ad."""
    isBuiltForPlatform: bool | None
    """Built to the marketplace operator's standard."""
    position: int | None
    """Organic: place over all pages; sponsored: place among the ads of its page."""


class CategoryDetailBreadcrumb(TypedDict):
    name: str | None
    """Name."""
    url: str | None
    """Address."""
    handle: str | None
    """Handle."""
    parentHandle: str | None
    """Handle of the category above."""


class TrafficEstimate(TypedDict):
    domain: str
    """Registrable domain, A-label form."""
    period: str | None
    """Month of the estimate."""
    visits: int | None
    """Visits in the month."""
    visitsLow: int | None
    """Lower end of the 80 % interval; null for a panel."""
    visitsHigh: int | None
    """Upper end of the 80 % interval; null for a panel."""
    uniqueVisitors: int | None
    """Unique visitors in the month."""
    pagesPerVisit: float | None
    """Pages per visit."""
    avgVisitDurationSeconds: float | None
    """Mean length of a visit in seconds."""
    bounceRate: float | None
    """Share of visits of one page."""
    history: list[TrafficEstimateHistory]
    """Visits by month, oldest first."""
    trafficSources: TrafficEstimateTrafficSources | None
    topCountries: list[TrafficEstimateTopCountry]
    """Countries by share."""
    globalRank: int | None
    """Global rank; for a model the rank it was made from."""
    countryRank: TrafficEstimateCountryRank | None
    categoryRank: TrafficEstimateCategoryRank | None
    method: Literal["panel", "model"]
    """Measured by a panel, or modelled from a rank."""
    rankSource: Literal["tranco", "crux", "panel"] | None
    """Whose rank it is."""
    confidence: Literal["high", "medium", "low"] | None
    """How far to trust it."""
    scrapedAt: str
    """When the source was asked."""


class TrafficEstimateHistory(TypedDict):
    month: str
    """Month."""
    visits: int | None
    """Visits."""


class TrafficEstimateTrafficSources(TypedDict):
    """Shares of visits by source."""

    direct: float | None
    """Typed or bookmarked."""
    search: float | None
    """Search engines."""
    social: float | None
    """Social networks."""
    referral: float | None
    """Links on other sites."""
    mail: float | None
    """E-mail."""
    paid: float | None
    """Display ads and paid referrals."""


class TrafficEstimateTopCountry(TypedDict):
    country: str
    """ISO 3166-1 alpha-2."""
    share: float | None
    """Share of visits."""


class TrafficEstimateCountryRank(TypedDict):
    """Rank in the main country."""

    country: str
    """ISO 3166-1 alpha-2."""
    rank: int
    """Rank."""


class TrafficEstimateCategoryRank(TypedDict):
    """Rank in the category."""

    category: str
    """Category."""
    rank: int
    """Rank."""


class DomainRegistration(TypedDict):
    domain: str
    """Registrable domain, A-label form."""
    available: bool
    """True: no registration record exists. It does not say that the name can be bought."""
    registrar: Registrar | None
    registeredOn: str | None
    """Registration date."""
    expiresOn: str | None
    """The registry's expiry date."""
    updatedOn: str | None
    """Last change of the record."""
    status: list[str]
    """EPP status in camelCase; a registry's own phrase where EPP has no such state."""
    nameServers: list[str]
    """Name servers, lower case."""
    dnssec: bool | None
    """True where DS or key records are listed."""
    contacts: list[Contact]
    """Contacts by role."""
    scrapedAt: str
    """When the registry was asked."""
    source: Literal["authoritative", "fallback"]
    """`authoritative`: the registry's own record answered. `fallback`: a secondary source was used."""


class Registrar(TypedDict):
    """The registrar; null where nothing is known of it."""

    name: str | None
    """Name; the handle where only a handle is stated."""
    ianaId: str | None
    """IANA registrar id."""
    abuseEmail: str | None
    """E-mail for abuse reports."""
    abusePhone: str | None
    """Telephone for abuse reports."""


class Contact(TypedDict):
    role: Literal["registrant", "administrative", "technical", "billing"]
    """Role of the contact."""
    name: str | None
    """Name."""
    organization: str | None
    """Organisation."""
    email: str | None
    """E-mail."""
    phone: str | None
    """Telephone."""
    redacted: bool
    """Something of this contact is withheld."""


class Account(TypedDict):
    accountId: str
    """Id of the account."""
    name: str
    """Name of the account."""
    credits: AccountCredits
    key: AccountKey
    limits: AccountLimits


class AccountCredits(TypedDict):
    balance: int
    """Credits of the account, held ones included."""
    held: int
    """Credits held for lookups that run."""


class AccountKey(TypedDict):
    keyId: str
    """Id of the key or of the OAuth client; never the key itself."""
    label: str
    """Its label."""
    createdAt: str
    """When it was made."""
    expiresAt: str | None
    """When it ends; null: never."""
    operations: list[str] | None
    """Ids of the operations that these credentials may use; null: all."""


class AccountLimits(TypedDict):
    ratePerSecond: int
    """Requests a second, sustained."""
    burst: int
    """Requests at once."""


AccountUsage = TypedDict("AccountUsage", {"from": "str", "to": "str", "days": "list[AccountUsageDay]", "timings": "list[AccountUsageTiming]", "after": "str | None", "hasMore": "bool"})


class AccountUsageDay(TypedDict):
    day: str
    """Day, `YYYY-MM-DD`, UTC."""
    operation: str
    """Id of the operation."""
    keyId: str
    """Id of the key or of the OAuth client."""
    status: int
    """HTTP status."""
    requests: int
    """Number of requests."""
    credits: int
    """Credits charged."""


class AccountUsageTiming(TypedDict):
    day: str | None
    """Day, `YYYY-MM-DD`, UTC; null: all of these days."""
    operation: str | None
    """Id of the operation; null: all operations."""
    requests: int
    """Number of lookups."""
    cacheHits: int
    """Of these, answered from the cache."""
    medianMs: float
    """Half of them took no longer, milliseconds."""
    p95Ms: float
    """95 of 100 took no longer, milliseconds."""


class AccountLedger(TypedDict):
    entries: list[AccountLedgerEntry]
    after: str | None
    """Cursor: `after` of the next request; null on the last page."""
    hasMore: bool
    """Whether there is another page."""


class AccountLedgerEntry(TypedDict):
    at: str
    """When it was written, RFC 3339."""
    kind: Literal["grant", "hold", "capture", "release", "expire"]
    """A hold ends as `capture` (charged), `release` (given back) or `expire`."""
    credits: int
    """Change of the credits that the account owns."""
    held: int
    """Change of the credits that are held."""
    balance: int | None
    """Credits of the account after it, held ones included: the sum of `credits` up to it. Null for entries that were written before balances were stored."""
    receipt: str | None
    """The receipt that it belongs to, as `X-Receipt` says; null for a grant."""
    keyId: str | None
    """Key or OAuth client that caused it."""
    operation: str | None
    """Operation that it paid for."""
    requestId: str | None
    """Id of the request."""
    label: str | None
    """`X-Request-Id` that the caller sent with it."""
    note: str | None
    """Words with a grant."""
    reference: str | None
    """Reference of a grant: the same one is granted once."""


class AccountPrice(TypedDict):
    operation: str
    """Id of the operation."""
    price: int
    """Credits that the lookup costs where a source has to be asked; less where fewer results come."""
    cached: bool
    """Whether a fresh answer is kept: the lookup would be answered from it."""
    freshUntil: str | None
    """Until when that answer is fresh; null where none is kept."""
    charge: int
    """Credits that the lookup would cost now: 0 from the cache, unless the operator charges for that."""


class AccountRequests(TypedDict):
    requests: list[AccountRequest]
    after: str | None
    """Cursor: `after` of the next request; null on the last page."""
    hasMore: bool
    """Whether there is another page."""


class AccountRequest(TypedDict):
    requestId: str
    """Id of the request: `X-Request-Id` of its answer, unless the caller sent one."""
    label: str | None
    """`X-Request-Id` that the caller sent; several requests may have the same."""
    at: str
    """When it arrived, RFC 3339."""
    operation: str
    """Id of the operation, or of the account endpoint."""
    status: int
    """HTTP status."""
    code: str | None
    """Code of the error; null for an answer."""
    source: str | None
    """Source that answered, as `X-Data-Source` names it."""
    cache: str | None
    """`hit`, `miss`, `stale` or `collapsed` (joined the same lookup while it ran); null where the cache was not asked."""
    credits: int
    """Credits charged."""
    durationMs: float
    """Milliseconds from its arrival to its answer."""
    keyId: str
    """Key or OAuth client that made it."""
    parameters: dict[str, str] | None
    """Parameters of a lookup by their names, as they were sent; null where they were not valid."""


class RequestExplanation(TypedDict):
    requestId: str
    """Id of the request: `X-Request-Id` of its answer, unless the caller sent one."""
    label: str | None
    """`X-Request-Id` that the caller sent; several requests may have the same."""
    at: str
    """When it arrived, RFC 3339."""
    operation: str
    """Id of the operation, or of the account endpoint."""
    status: int
    """HTTP status."""
    code: str | None
    """Code of the error; null for an answer."""
    source: str | None
    """Source that answered, as `X-Data-Source` names it."""
    cache: str | None
    """`hit`, `miss`, `stale` or `collapsed` (joined the same lookup while it ran); null where the cache was not asked."""
    credits: int
    """Credits charged."""
    durationMs: float
    """Milliseconds from its arrival to its answer."""
    keyId: str
    """Key or OAuth client that made it."""
    parameters: dict[str, str] | None
    """Parameters of a lookup by their names, as they were sent; null where they were not valid."""
    message: str | None
    """Message of the error."""
    freshness: str | None
    """`Cache-Control` of the request; null: none."""
    attempts: list[RequestExplanationAttempt]
    """Attempts at sources, in order. None: the answer was kept, or no source was asked."""
    rule: Literal["charged", "cached-charged", "cached", "joined", "stale", "error", "check", "account", "no-price"]
    """Rule by which it was charged or not."""
    ruleInWords: str
    """The same rule as a sentence."""
    receipt: str | None
    """`X-Receipt`: the ledger lists its entries under it; null where nothing was charged."""
    unread: list[str]
    """Fields that are null because their content was not understood, as `X-Fields-Unread` says."""
    upstreamMs: float
    """Milliseconds that sources took."""
    steps: list[RequestExplanationStep]
    """What the service did besides the attempts, where a source was asked, in order; empty where it was not recorded."""
    others: list[RequestExplanationOther]
    """Where it was asked for by a label: the other requests with this label, newest first, 1,000 at most."""


class RequestExplanationAttempt(TypedDict):
    source: str
    """Source that was asked."""
    outcome: str
    """`found`, `absent`, `blocked`, `limited`, `unreachable`, `timeout`, `changed`, `refused` or `defect`."""
    startMs: int | None
    """Milliseconds from the arrival of the request to its begin; null where another request had begun it before."""
    durationMs: int
    """Milliseconds of the attempt."""
    reason: str | None
    """Why it did not answer; null where it did."""


class RequestExplanationStep(TypedDict):
    step: Literal["admission", "cache", "hold", "answer"]
    """Credentials and parameters; cache; hold of the credits; check and answer."""
    startMs: float
    """Milliseconds from the arrival of the request."""
    durationMs: float
    """Milliseconds that it took."""


class RequestExplanationOther(TypedDict):
    requestId: str
    """Id of the request."""
    at: str
    """When it arrived, RFC 3339."""
    operation: str
    """Id of the operation, or of the account endpoint."""
    status: int
    """HTTP status."""


class Watches(TypedDict):
    watches: list[Watch]
    """Watches of the account, oldest first."""
    total: int
    """Watches that the account has."""
    most: int
    """Watches that it may have, by SIGHTLINE_WATCHES_PER_ACCOUNT."""
    dueSoon: int
    """Of those that the caller may look up: dates at most 30 days ahead (UTC), or over."""
    after: str | None
    """Cursor: `after` of the next request; null on the last page."""
    hasMore: bool
    """Whether there is another page."""


class Watch(TypedDict):
    watchId: str
    """Id of the watch."""
    name: str | None
    """Its name."""
    tags: list[str]
    """Its tags."""
    operation: str
    """Id of the operation."""
    parameters: dict[str, str]
    """Parameters of the lookup."""
    every: Literal["1h", "6h", "12h", "1d", "7d"]
    """Time between two checks."""
    fields: list[str | WatchedNumber | WatchedShare | WatchedCrossing]
    """Fields that count, those of the operation included where none were asked for."""
    creditsPerMonth: int
    """Budget: credits that its checks may cost in a calendar month (UTC)."""
    spentThisMonth: int
    """Of it spent in this month."""
    costPerMonth: int
    """What its checks cost in a month at most, by the prices in force."""
    paused: bool
    """Its checks are skipped."""
    due: list[int]
    """When it tells of a date that lies ahead, most days first; empty: never."""
    dueDate: WatchDueDate | None
    latest: dict[str, Any]
    """Values of its last answer by field: of `registration` `registrar.name`, `status`, `nameServers`; else empty."""
    createdAt: str
    """When it was made, RFC 3339."""
    nextAt: str
    """When it is checked next."""
    keyId: str
    """Key that made it: its checks count against the caps of this key."""
    mayChange: bool
    """Whether these credentials may change, run and delete it; else 403."""
    state: Literal["ok", "failing", "gone", "free"]
    """`failing`: the last three checks had no answer. `gone`, `free`: what it watches is not there."""
    stopped: Literal["key", "credits", "budget"] | None
    """Why it does not check; null: it does."""
    lastCheck: WatchLastCheck | None
    lastChange: WatchLastChange | None
    notify: list[NotifyTarget] | None
    """Targets that its messages are sent to, beside the webhook; null: those of the account."""
    course: WatchCourse | None
    webhook: WatchWebhook | None


class WatchedNumber(TypedDict):
    path: str
    """Field; a number."""
    least: float
    """Smallest difference that counts."""


class WatchedShare(TypedDict):
    path: str
    """Field; a number."""
    leastShare: float
    """Smallest share of the value before that counts: 0.1 is 10 %."""


class WatchedCrossing(TypedDict):
    path: str
    """Field; a number."""
    crosses: float
    """The number that is passed, up or down. An entry that is not in the list counts as above it."""


class WatchDueDate(TypedDict):
    field: str
    """The date."""
    on: str
    """Its last value, RFC 3339 or a day."""
    daysLeft: float
    """Whole days (UTC) from now on; below 0: it is over."""
    readAt: str
    """When it was read, RFC 3339."""
    source: str | None
    """Where it was read; null: that check is not among the last ones."""
    nextAt: str | None
    """When it is told next; null: not before another date is read."""


class WatchLastCheck(TypedDict):
    at: str
    """When the check ended and its values were read, RFC 3339."""
    slot: str
    """When it was to be made: earlier than `at` where no process ran."""
    outcome: Literal["same", "changed", "first", "failed", "skipped"]
    """How the check ended."""
    code: str | None
    """Error code of a failed check, reason of a skipped one, `unconfirmed` until a second check says the same."""


class WatchLastChange(TypedDict):
    at: str
    """When it was found, RFC 3339."""
    kind: Literal["added", "removed", "changed", "moved", "gone", "free", "due", "failing", "recovered"]
    """`due`: a date is near. `failing` and `recovered` are notices: three checks in a row had no answer or the watch stopped checking, and there is an answer again."""
    field: str
    """Field; the list for an entry that was added or removed; empty where the whole answer is meant."""
    key: str | None
    """Entry of the list, by its key."""


NotifyTarget = TypedDict("NotifyTarget", {"targetId": "str", "to": "str", "as": "Literal[\"slack\", \"discord\", \"teams\", \"ntfy\", \"text\", \"email\"]", "digest": "Literal[\"1d\"] | None", "createdAt": "str", "confirmed": "bool", "lastSuccessAt": "str | None", "failingSince": "str | None", "lastFailureAt": "str | None", "lastError": "str | None", "offAt": "str | None", "nextAt": "str | None", "disabledAt": "str | None"})


class WatchCourse(TypedDict):
    field: str
    """The first number that `fields` names one by one, else the first one of the operation outside of lists."""
    values: list[float | None]
    """Its values in the last 14 checks, oldest first."""


class WatchWebhook(TypedDict):
    url: str
    """https URL that receives a message for each change (Standard Webhooks)."""
    secret: str | None
    """Signing secret; shown when it is made, else null."""
    failingSince: str | None
    """Since when it cannot be reached."""
    disabledAt: str | None
    """When messages to it stopped, because it answered 410 or failed for three days. Set the URL again to resume."""
    lastError: str | None
    """What the last failed attempt met."""


class NewWatch(TypedDict):
    operation: str
    """Id of the operation."""
    parameters: dict[str, str | float]
    """Parameters of the lookup."""
    every: Literal["1h", "6h", "12h", "1d", "7d"]
    """Time between two checks."""
    creditsPerMonth: int
    """Credits that its checks may cost in a calendar month."""
    fields: NotRequired[list[str | WatchedNumber | WatchedShare | WatchedCrossing] | None]
    """Fields that count (`organic[example.com].rank`: of one entry); a number also as `{ path, least }`: from a difference on, `{ path, leastShare }`: a share, `{ path, crosses }`: when it passes it."""
    name: NotRequired[str | None]
    """Name, not blank, 100 characters at most."""
    tags: NotRequired[list[str]]
    """Tags, 10 of 40 characters at most."""
    paused: NotRequired[bool]
    """Skip its checks."""
    webhook: NotRequired[NewWatchWebhook | None]
    notify: NotRequired[list[NewNotifyTarget] | None]
    """Targets that its messages are sent to, five at most; null: those of the account, empty: none."""
    due: NotRequired[list[int] | None]
    """When to tell of a date that lies ahead; null: as the operation does, empty: never."""


class NewWatchWebhook(TypedDict):
    url: str
    """https URL that receives a message for each change (Standard Webhooks)."""


NewNotifyTarget = TypedDict("NewNotifyTarget", {"to": "str", "as": "Literal[\"slack\", \"discord\", \"teams\", \"ntfy\", \"text\", \"email\"]", "digest": "Literal[\"1d\"] | None"})


class WatchImport(TypedDict):
    watches: list[WatchImportWatch]
    """Lines that become watches."""
    leftOut: list[WatchImportLeftOut]
    """Lines that do not."""
    made: bool
    """Whether they were made."""
    costPerMonth: int
    """What the checks of all of them cost in a month at most."""
    creditsPerMonth: int
    """Their budgets together."""


class WatchImportWatch(TypedDict):
    line: int
    """Line of the list."""
    parameters: dict[str, str]
    """Parameters of the lookup."""
    costPerMonth: int
    """What its checks cost in a month at most."""
    watchId: str | None
    """Id of the watch; null: it was not made."""


class WatchImportLeftOut(TypedDict):
    line: int
    """Line of the list."""
    text: str
    """The line, 200 characters at most."""
    why: str
    """Why it becomes no watch."""
    reason: Literal["unreadable", "repeated", "watched"]
    """`repeated`: another line has the same lookup. `watched`: the account has that watch."""


class NewWatchList(TypedDict):
    operation: str
    """Id of the operation."""
    every: Literal["1h", "6h", "12h", "1d", "7d"]
    """Time between two checks."""
    lines: str
    """A value a line, or CSV with a header, such as the export of a registrar; 10000 lines at most."""
    fields: NotRequired[list[str | WatchedNumber | WatchedShare | WatchedCrossing] | None]
    """Fields that count (`organic[example.com].rank`: of one entry); a number also as `{ path, least }`: from a difference on, `{ path, leastShare }`: a share, `{ path, crosses }`: when it passes it."""
    tags: NotRequired[list[str]]
    """Tags, 10 of 40 characters at most."""
    webhook: NotRequired[NewWatchWebhook | None]
    notify: NotRequired[list[NewNotifyTarget] | None]
    """Targets that its messages are sent to, five at most; null: those of the account, empty: none."""
    due: NotRequired[list[int] | None]
    """When to tell of a date that lies ahead; null: as the operation does, empty: never."""
    creditsPerMonth: NotRequired[int]
    """Budget of each watch; left out: what its checks cost in a month at most."""
    make: NotRequired[bool]
    """Make them. Left out: the answer says which would be made, and what they cost."""
    skipInvalid: NotRequired[bool]
    """Make the others where a line cannot be read; else nothing is made."""


class WatchEdit(TypedDict):
    fields: NotRequired[list[str | WatchedNumber | WatchedShare | WatchedCrossing] | None]
    """Fields that count (`organic[example.com].rank`: of one entry); a number also as `{ path, least }`: from a difference on, `{ path, leastShare }`: a share, `{ path, crosses }`: when it passes it."""
    creditsPerMonth: NotRequired[int]
    """Credits that its checks may cost in a calendar month."""
    every: NotRequired[Literal["1h", "6h", "12h", "1d", "7d"]]
    """Time between two checks."""
    name: NotRequired[str | None]
    """Name, not blank, 100 characters at most."""
    tags: NotRequired[list[str]]
    """Tags, 10 of 40 characters at most."""
    paused: NotRequired[bool]
    """Skip its checks."""
    webhook: NotRequired[NewWatchWebhook | None]
    notify: NotRequired[list[NewNotifyTarget] | None]
    """Targets that its messages are sent to, five at most; null: those of the account, empty: none."""
    due: NotRequired[list[int] | None]
    """When to tell of a date that lies ahead; null: as the operation does, empty: never."""
    takeOver: NotRequired[bool]
    """From now on the key of this request pays for its checks: for keys that manage the account."""


class WatchCheck(TypedDict):
    at: str
    """When the check ended and its values were read, RFC 3339."""
    slot: str
    """When it was to be made: earlier than `at` where no process ran."""
    outcome: Literal["same", "changed", "first", "failed", "skipped"]
    """How the check ended."""
    code: str | None
    """Error code of a failed check, reason of a skipped one, `unconfirmed` until a second check says the same."""
    credits: int
    """What it cost."""
    source: str | None
    """Source that answered."""


class WatchHistory(TypedDict):
    checks: list[WatchHistoryCheck]
    """Checks, newest first."""
    after: str | None
    """Cursor: `after` of the next request; null on the last page."""
    hasMore: bool
    """Whether there is another page."""


class WatchHistoryCheck(TypedDict):
    at: str
    """When the check ended and its values were read, RFC 3339."""
    slot: str
    """When it was to be made: earlier than `at` where no process ran."""
    outcome: Literal["same", "changed", "first", "failed", "skipped"]
    """How the check ended."""
    code: str | None
    """Error code of a failed check, reason of a skipped one, `unconfirmed` until a second check says the same."""
    credits: int
    """What it cost."""
    source: str | None
    """Source that answered."""
    series: list[WatchHistoryCheckSeries]
    """Numbers of its answer: first those of the entries that `fields` names (`organic[example.com].rank`), then all."""


class WatchHistoryCheckSeries(TypedDict):
    field: str
    """Path of the number."""
    key: str | None
    """Entry of the list."""
    value: float | None
    """Its value."""


class WatchDeliveries(TypedDict):
    deliveries: list[WatchDeliveriesDelivery]
    """Newest first."""
    after: str | None
    """Cursor: `after` of the next request; null on the last page."""
    hasMore: bool
    """Whether there is another page."""


WatchDeliveriesDelivery = TypedDict("WatchDeliveriesDelivery", {"id": "str", "cursor": "str", "as": "Literal[\"webhook\", \"slack\", \"discord\", \"teams\", \"ntfy\", \"text\", \"email\"] | None", "to": "str | None", "kinds": "list[str]", "createdAt": "str", "attempts": "int", "nextAt": "str | None", "deliveredAt": "str | None", "result": "str | None"})


class Notify(TypedDict):
    notify: list[NotifyTarget]
    """Targets of all watches without targets of their own."""


class NotifyEdit(TypedDict):
    notify: list[NewNotifyTarget]
    """Targets, 5 at most; they replace those before."""


class NotifyTestResult(TypedDict):
    ok: bool
    """Whether the target took the message."""
    status: int | None
    """HTTP status; null: there was no answer."""
    durationMs: int | None
    """How long it took, ms."""
    private: bool
    """It is in a private network, which SIGHTLINE_PRIVATE_TARGETS of the operator opens."""
    said: str | None
    """What it answered, 500 characters at most; null of a private target, and where it said nothing."""
    error: str | None
    """What went wrong."""


NotifyTest = TypedDict("NotifyTest", {"targetId": "str", "to": "str", "as": "Literal[\"slack\", \"discord\", \"teams\", \"ntfy\", \"text\", \"email\"]"})


class Calendar(TypedDict):
    createdAt: str | None
    """When its address was made, RFC 3339; null: it has none, or the key that made it has ended."""


class WatchCalendar(TypedDict):
    url: str
    """Address to subscribe to, with a token that reads this calendar alone; shown this once."""
    createdAt: str
    """When it was made, RFC 3339; an earlier address ended then."""


class WatchChanges(TypedDict):
    changes: list[WatchChange]
    """Oldest first, or newest first."""
    after: str | None
    """Cursor of the last change of this page: the next request begins there. Null: there is none yet."""
    hasMore: bool
    """Whether there are more now."""


class WatchChange(TypedDict):
    id: str
    """Id of the change, and of the message to the webhook."""
    cursor: str
    """Its place in the feed."""
    watchId: str
    """Watch that found it."""
    name: str | None
    """Name of the watch."""
    operation: str
    """Id of the operation."""
    at: str
    """When it was found, RFC 3339."""
    kind: Literal["added", "removed", "changed", "moved", "gone", "free", "due", "failing", "recovered"]
    """`due`: a date is near. `failing` and `recovered` are notices: three checks in a row had no answer or the watch stopped checking, and there is an answer again."""
    field: str
    """Field; the list for an entry that was added or removed; empty where the whole answer is meant."""
    key: str | None
    """Entry of the list, by its key."""
    before: Any
    """A value of the answer, or an entry of a list."""
    after: Any
    """A value of the answer, or an entry of a list."""
    source: str | None
    """Source of both answers."""
    daysLeft: int | None
    """Of `due`: whole days (UTC) to the date; 0 also once it is over."""
    readAt: str | None
    """Of `due`: when the date was read, RFC 3339."""


class AccountSites(TypedDict):
    own: str | None
    """Your own site, as a registrable domain; null: none."""
    rivals: list[str]
    """Sites to compare it with, 5 at most."""
    apps: AccountApps


class AccountApps(TypedDict):
    """Apps of the app marketplace."""

    own: str | None
    """Your own app, as the handle in its address; null: none."""
    rivals: list[str]
    """Apps to compare it with, 5 at most."""


class SitesEdit(TypedDict):
    own: str | None
    """Your own site, as a registrable domain; null: none."""
    rivals: NotRequired[list[str]]
    """Sites to compare it with, 5 at most."""
    apps: NotRequired[SitesEditApps]


class SitesEditApps(TypedDict):
    """Apps of the app marketplace; left out: they stay as they are."""

    own: str | None
    """Your own app, as the handle in its address; null: none."""
    rivals: NotRequired[list[str]]
    """Apps to compare it with, 5 at most."""


Rankings = TypedDict("Rankings", {"from": "str", "to": "str", "sites": "list[str]", "keywords": "list[RankingsKeyword]", "visibility": "list[RankingsVisibility]", "standing": "RankingsStanding", "seen": "list[RankingsSeen]", "choices": "RankingsChoices"})


class RankingsKeyword(TypedDict):
    watchId: str
    """Watch whose checks these are."""
    keyword: str
    """The keyword."""
    location: str
    """Country."""
    language: str
    """Language."""
    device: Literal["desktop", "mobile"]
    """Device."""
    engine: Literal["engine_a", "engine_b"]
    """Search engine."""
    depth: int
    """Results that were asked for: a site without a place is beyond it."""
    tags: list[str]
    """Tags of the watch."""
    checkedAt: str | None
    """When the last check of these days that was answered ended; null: none was."""
    failedAt: str | None
    """When the last check of these days failed, if none was answered after it; null: none did."""
    snippet: str | None
    """Host of the featured snippet in it; null: there is none."""
    cited: list[str] | None
    """Hosts that its AI overview cites; null: it shows none."""
    sites: list[RankingsKeywordSite]
    """A site each."""
    days: list[RankingsKeywordDay]
    """Days with an answered check, oldest first; of two checks the last that was answered. A day that is missing had no answer."""


class RankingsKeywordSite(TypedDict):
    site: str
    """The site."""
    place: int | None
    """Its best place in the last answered check; null: it is not in the depth that was asked for."""
    before: int | None
    """The same in the answered check of the day before that one; null: it was not there, or there is none."""
    best: int | None
    """Its best place in these days."""
    first: int | None
    """Its best place in the answered check of the first of these days that has one; null: it is not in the depth."""
    change: float | None
    """Places gained from `first` to `place`; below 0: lost. Null: one of both is not there, or only one day was answered."""
    hasSnippet: bool | None
    """Whether the featured snippet of the last answered check is its; null: none was."""
    isCited: bool | None
    """Whether the AI overview of it cites the site; null: none was."""


class RankingsKeywordDay(TypedDict):
    day: str
    """Day, UTC."""
    places: list[float | None]
    """Of each site; null: not in the depth."""


class RankingsVisibility(TypedDict):
    day: str
    """Day, UTC."""
    keywords: int
    """Keywords that were answered that day."""
    sources: list[str]
    """Sources whose answers these are."""
    depths: list[int]
    """Of these keywords, the least first."""
    sites: list[float | None]
    """Of each site."""


class RankingsStanding(TypedDict):
    keywords: int
    """Keywords with an answered check in these days."""
    overviews: RankingsStandingOverviews
    sites: list[RankingsStandingSite]
    """A site each."""


class RankingsStandingOverviews(TypedDict):
    now: int
    """Keywords whose answer shows an AI overview, by the last answered check of each."""
    before: int | None
    """By the answered check of the first day of each; null: none was answered on two days."""


class RankingsStandingSite(TypedDict):
    site: str
    """The site."""
    visibility: float | None
    """Its visibility on the last of these days that has an answer; null: none has."""
    visibilityBefore: float | None
    """The same on the first such day; null: there is only one, or none."""
    firstThree: RankingsStandingSiteFirstThree
    firstPage: RankingsStandingSiteFirstPage
    cited: RankingsStandingSiteCited
    up: int
    """Keywords for which its place is better than on their first answered day."""
    down: int
    """Keywords for which it is worse."""
    left: int
    """Keywords for which it was on the first page then, and is not now."""


class RankingsStandingSiteFirstThree(TypedDict):
    now: int
    """Keywords for which it has a place to 3, by the last answered check of each."""
    before: int | None
    """By the answered check of the first day of each; null: none was answered on two days."""


class RankingsStandingSiteFirstPage(TypedDict):
    now: int
    """Keywords for which it has a place to 10, by the last answered check of each."""
    before: int | None
    """By the answered check of the first day of each; null: none was answered on two days."""


class RankingsStandingSiteCited(TypedDict):
    now: int
    """Keywords whose AI overview cites it, by the last answered check of each."""
    before: int | None
    """By the answered check of the first day of each; null: none was answered on two days."""


class RankingsSeen(TypedDict):
    site: str
    """A registrable domain."""
    keywords: int
    """Keywords for which it has a place to 20 in the last answered check."""


class RankingsChoices(TypedDict):
    """What all watched keywords have, whatever is asked for: the values that choose."""

    locations: list[str]
    """Countries."""
    devices: list[str]
    """Devices."""
    engines: list[str]
    """Search engines."""
    tags: list[str]
    """Tags."""


AppRankings = TypedDict("AppRankings", {"from": "str", "to": "str", "apps": "list[str]", "keywords": "list[AppRankingsKeyword]", "visibility": "list[AppRankingsVisibility]", "standing": "AppRankingsStanding", "seen": "list[AppRankingsSeen]", "choices": "AppRankingsChoices"})


class AppRankingsKeyword(TypedDict):
    watchId: str
    """Watch whose checks these are."""
    keyword: str
    """The keyword."""
    depth: int | None
    """The last organic place of the last answered check: an app without a place is beyond it; null: none was answered."""
    tags: list[str]
    """Tags of the watch."""
    checkedAt: str | None
    """When the last check of these days that was answered ended; null: none was."""
    failedAt: str | None
    """When the last check of these days failed, if none was answered after it; null: none did."""
    apps: list[AppRankingsKeywordApp]
    """An app each."""
    days: list[AppRankingsKeywordDay]
    """Days with an answered check, oldest first; of two checks the last that was answered. A day that is missing had no answer."""


class AppRankingsKeywordApp(TypedDict):
    app: str
    """Handle of the app."""
    place: int | None
    """Its organic place in the last answered check; null: it is not on the first page."""
    before: int | None
    """The same in the answered check of the day before that one; null: it was not there, or there is none."""
    best: int | None
    """Its best place in these days."""
    first: int | None
    """Its place in the answered check of the first of these days that has one; null: it is not on the first page."""
    change: float | None
    """Places gained from `first` to `place`; below 0: lost. Null: one of both is not there, or only one day was answered."""


class AppRankingsKeywordDay(TypedDict):
    day: str
    """Day, UTC."""
    places: list[float | None]
    """Of each app; null: not on the first page."""


class AppRankingsVisibility(TypedDict):
    day: str
    """Day, UTC."""
    keywords: int
    """Keywords that were answered that day."""
    sources: list[str]
    """Sources whose answers these are."""
    apps: list[float | None]
    """Of each app."""


class AppRankingsStanding(TypedDict):
    keywords: int
    """Keywords with an answered check in these days."""
    apps: list[AppRankingsStandingApp]
    """An app each."""


class AppRankingsStandingApp(TypedDict):
    app: str
    """Handle of the app."""
    visibility: float | None
    """Its visibility on the last of these days that has an answer; null: none has."""
    visibilityBefore: float | None
    """The same on the first such day; null: there is only one, or none."""
    firstThree: AppRankingsStandingAppFirstThree
    firstTen: AppRankingsStandingAppFirstTen
    up: int
    """Keywords for which its place is better than on their first answered day."""
    down: int
    """Keywords for which it is worse."""
    left: int
    """Keywords for which it had a place to 10 then, and has none now."""


class AppRankingsStandingAppFirstThree(TypedDict):
    now: int
    """Keywords for which it has a place to 3, by the last answered check of each."""
    before: int | None
    """By the answered check of the first day of each; null: none was answered on two days."""


class AppRankingsStandingAppFirstTen(TypedDict):
    now: int
    """Keywords for which it has a place to 10, by the last answered check of each."""
    before: int | None
    """By the answered check of the first day of each; null: none was answered on two days."""


class AppRankingsSeen(TypedDict):
    app: str
    """Handle of an app."""
    keywords: int
    """Keywords for which it has a place to 20 in the last answered check."""


class AppRankingsChoices(TypedDict):
    """What all watched keywords have, whatever is asked for: the values that choose."""

    tags: list[str]
    """Tags."""

class InvalidRequestError(SightlineError):
    """This service speaks HTTP/1.1 and HTTP/1.0."""


class UnauthorizedError(SightlineError):
    """Valid credentials are needed: send an API key as X-API-Key or Authorization: Bearer."""


class InsufficientCreditsError(SightlineError):
    """The account has too few credits."""


class ForbiddenError(SightlineError):
    """These credentials may not use this operation."""


class NotFoundError(SightlineError):
    """Not found."""


class MethodNotAllowedError(SightlineError):
    """Only GET and HEAD are allowed here."""


class RequestTooLargeError(SightlineError):
    """The headers are larger than 32 kB."""


class RateLimitedError(SightlineError):
    """Too many requests."""


class InternalError(SightlineError):
    """The service failed because of a defect; nothing was charged."""


class NotImplementedError(SightlineError):
    """No source is configured for this operation; nothing was charged."""


class UpstreamFailedError(SightlineError):
    """The source failed."""


class UpstreamUnreachableError(SightlineError):
    """The source could not be reached."""


class UpstreamTimeoutError(SightlineError):
    """The source did not answer in time."""


class UpstreamBlockedError(SightlineError):
    """The source blocked the request (block page, challenge or consent page)."""


class UpstreamRateLimitedError(SightlineError):
    """The source limits the number of requests."""


class UpstreamChangedError(SightlineError):
    """The source's answer has an unknown form."""


class UnavailableError(SightlineError):
    """The store is unavailable, and nothing is served without metering."""


class OverloadedError(SightlineError):
    """The service is overloaded or shutting down; nothing was done."""


class NotCachedError(SightlineError):
    """The request said only-if-cached, and no cached answer is fresh enough."""

ERROR_CLASSES: dict[str, type[SightlineError]] = {
    "INVALID_REQUEST": InvalidRequestError,
    "UNAUTHORIZED": UnauthorizedError,
    "INSUFFICIENT_CREDITS": InsufficientCreditsError,
    "FORBIDDEN": ForbiddenError,
    "NOT_FOUND": NotFoundError,
    "METHOD_NOT_ALLOWED": MethodNotAllowedError,
    "REQUEST_TOO_LARGE": RequestTooLargeError,
    "RATE_LIMITED": RateLimitedError,
    "INTERNAL_ERROR": InternalError,
    "NOT_IMPLEMENTED": NotImplementedError,
    "UPSTREAM_FAILED": UpstreamFailedError,
    "UPSTREAM_UNREACHABLE": UpstreamUnreachableError,
    "UPSTREAM_TIMEOUT": UpstreamTimeoutError,
    "UPSTREAM_BLOCKED": UpstreamBlockedError,
    "UPSTREAM_RATE_LIMITED": UpstreamRateLimitedError,
    "UPSTREAM_CHANGED": UpstreamChangedError,
    "UNAVAILABLE": UnavailableError,
    "OVERLOADED": OverloadedError,
    "NOT_CACHED": NotCachedError,
}

# "stated": only where the answer has Retry-After
RETRYABLE: dict[str, bool | str] = {
    "INVALID_REQUEST": False,
    "UNAUTHORIZED": False,
    "INSUFFICIENT_CREDITS": False,
    "FORBIDDEN": False,
    "NOT_FOUND": False,
    "METHOD_NOT_ALLOWED": False,
    "REQUEST_TOO_LARGE": False,
    "RATE_LIMITED": True,
    "INTERNAL_ERROR": True,
    "NOT_IMPLEMENTED": False,
    "UPSTREAM_FAILED": "stated",
    "UPSTREAM_UNREACHABLE": True,
    "UPSTREAM_TIMEOUT": True,
    "UPSTREAM_BLOCKED": False,
    "UPSTREAM_RATE_LIMITED": True,
    "UPSTREAM_CHANGED": False,
    "UNAVAILABLE": True,
    "OVERLOADED": True,
    "NOT_CACHED": False,
}

OPERATIONS: dict[str, Operation] = {
    "serp": Operation("serp", "/v1/searchengine/serp", 125.0, parameters=("keyword", "location", "language", "device", "depth", "engine",)),
    "short-video": Operation("short-video", "/v1/shortvideo/videos", 35.0, parameters=("url",)),
    "microblog-post": Operation("microblog-post", "/v1/microblog/posts", 35.0, parameters=("url",)),
    "forum-community": Operation("forum-community", "/v1/forum/communities/{community}", 35.0, "posts", "after", parameters=("community", "sort", "after",)),
    "forum-search": Operation("forum-search", "/v1/forum/search", 35.0, "posts", "after", parameters=("query", "sort", "after", "community",)),
    "forum-comments": Operation("forum-comments", "/v1/forum/posts/{postId}/comments", 95.0, parameters=("postId",)),
    "app": Operation("app", "/v1/appmarket/apps/{handle}", 35.0, parameters=("handle",)),
    "app-reviews": Operation("app-reviews", "/v1/appmarket/apps/{handle}/reviews", 35.0, "reviews", "page", parameters=("handle", "page", "sort",)),
    "appstore-reviews": Operation("appstore-reviews", "/v1/appmarket/appstore/app/{handle}/reviews", 35.0, "reviews", "page", parameters=("handle", "page", "sort_by",)),
    "app-keywords": Operation("app-keywords", "/v1/appmarket/apps/keywords", 35.0, "apps", "page", parameters=("keyword", "page",)),
    "app-developer": Operation("app-developer", "/v1/appmarket/apps/developers/{handle}", 35.0, parameters=("handle",)),
    "appstore-category": Operation("appstore-category", "/v1/appmarket/appstore/category/{handle}", 35.0, "apps", "page", parameters=("handle", "page",)),
    "traffic": Operation("traffic", "/v1/traffic/domains/{domain}", 35.0, parameters=("domain",)),
    "registration": Operation("registration", "/v1/website/whois/domains/{domain}", 35.0, parameters=("domain",)),
    "account": Operation("account", "/v1/account", 60.0, parameters=()),
    "account-usage": Operation("account-usage", "/v1/account/usage", 60.0, "days", "after", parameters=("from", "to", "limit", "after", "include", "format",)),
    "account-ledger": Operation("account-ledger", "/v1/account/ledger", 60.0, "entries", "after", parameters=("limit", "after", "receipt", "by", "from", "to",)),
    "account-price": Operation("account-price", "/v1/account/price", 60.0),
    "account-requests": Operation("account-requests", "/v1/account/requests", 60.0, "requests", "after", parameters=("operation", "status", "label", "key", "source", "kind", "from", "to", "limit", "after",)),
    "account-request": Operation("account-request", "/v1/account/requests/{requestId}", 60.0, parameters=("requestId",)),
    "account-watches": Operation("account-watches", "/v1/account/watches", 60.0, "watches", "after", parameters=("limit", "after",)),
    "account-watch-create": Operation("account-watch-create", "/v1/account/watches", 60.0, method="POST", parameters=()),
    "account-watch-import": Operation("account-watch-import", "/v1/account/watches/import", 60.0, method="POST", parameters=()),
    "account-watch": Operation("account-watch", "/v1/account/watches/{watchId}", 60.0, parameters=("watchId",)),
    "account-watch-edit": Operation("account-watch-edit", "/v1/account/watches/{watchId}", 60.0, method="PATCH", parameters=("watchId",)),
    "account-watch-delete": Operation("account-watch-delete", "/v1/account/watches/{watchId}", 60.0, method="DELETE", parameters=("watchId",)),
    "account-watch-run": Operation("account-watch-run", "/v1/account/watches/{watchId}/run", 60.0, method="POST", parameters=("watchId",)),
    "account-watch-history": Operation("account-watch-history", "/v1/account/watches/{watchId}/history", 60.0, "checks", "after", parameters=("watchId", "limit", "after", "format",)),
    "account-watch-deliveries": Operation("account-watch-deliveries", "/v1/account/watches/{watchId}/deliveries", 60.0, "deliveries", "after", parameters=("watchId", "limit", "after", "to",)),
    "account-watch-repeat": Operation("account-watch-repeat", "/v1/account/watches/{watchId}/deliveries/{cursor}/repeat", 60.0, method="POST", parameters=("watchId", "cursor",)),
    "account-notify": Operation("account-notify", "/v1/account/notify", 60.0, parameters=()),
    "account-notify-set": Operation("account-notify-set", "/v1/account/notify", 60.0, method="PUT", parameters=()),
    "account-notify-test": Operation("account-notify-test", "/v1/account/notify/test", 60.0, method="POST", parameters=()),
    "account-watch-notify-test": Operation("account-watch-notify-test", "/v1/account/watches/{watchId}/notify/test", 60.0, method="POST", parameters=("watchId",)),
    "account-calendar": Operation("account-calendar", "/v1/account/watches/calendar", 60.0, parameters=()),
    "account-calendar-make": Operation("account-calendar-make", "/v1/account/watches/calendar", 60.0, method="POST", parameters=()),
    "account-calendar-end": Operation("account-calendar-end", "/v1/account/watches/calendar", 60.0, method="DELETE", parameters=()),
    "account-changes": Operation("account-changes", "/v1/account/changes", 60.0, "changes", "after", parameters=("limit", "after", "order", "watch",)),
    "account-sites": Operation("account-sites", "/v1/account/sites", 60.0, parameters=()),
    "account-sites-set": Operation("account-sites-set", "/v1/account/sites", 60.0, method="PUT", parameters=()),
    "account-rankings": Operation("account-rankings", "/v1/account/rankings", 60.0, parameters=("from", "to", "location", "device", "engine", "tag", "format", "title", "client", "sender",)),
    "account-app-rankings": Operation("account-app-rankings", "/v1/account/app-rankings", 60.0, parameters=("from", "to", "tag", "format",)),
}

class _SearchengineSerp:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, keyword: str, *, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, **options: Unpack[CallOptions]) -> SearchResult:
        """Rankings and features of the result page for one keyword. Price: 1 credit per 10 results of `depth`, rounded up; results that the engine does not have are refunded. keyword: Search terms, 1 to 700 characters. location: ISO 3166-1 alpha-2 country. language: ISO 639-1 language. device: Device the page is made for. depth: Number of results, 1 to 200. engine: Search engine: `engine_a` is Google, `engine_b` Bing; never switched silently."""
        return (self._client._send(OPERATIONS["serp"], {"keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine}, options)).data

    def with_response(self, keyword: str, *, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, **options: Unpack[CallOptions]) -> Answer[SearchResult]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["serp"], {"keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine}, options)


class _ShortvideoVideo:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, url: str, **options: Unpack[CallOptions]) -> ShortVideo:
        """One short video by its URL. Price: 1 credit. url: URL of the video, in any form that the platform hands out."""
        return (self._client._send(OPERATIONS["short-video"], {"url": url}, options)).data

    def with_response(self, url: str, **options: Unpack[CallOptions]) -> Answer[ShortVideo]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["short-video"], {"url": url}, options)


class _MicroblogPost:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, url: str, **options: Unpack[CallOptions]) -> MicroblogPost:
        """One microblog post by its URL. Price: 1 credit. url: URL of the post, in any form that the platform hands out."""
        return (self._client._send(OPERATIONS["microblog-post"], {"url": url}, options)).data

    def with_response(self, url: str, **options: Unpack[CallOptions]) -> Answer[MicroblogPost]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["microblog-post"], {"url": url}, options)


class _ForumCommunity:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> ForumPostPage:
        """One page of posts of a community. Price: 1 credit. community: Name of the community. sort: Order of the posts. after: Cursor: `after` of the page before."""
        return (self._client._send(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, options)).data

    def with_response(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Answer[ForumPostPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, options)

    def pages(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Iterator[ForumPostPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, options)

    def all(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[ForumPost]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, limit_total, options)


class _ForumSearch:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, **options: Unpack[CallOptions]) -> ForumPostPage:
        """One page of posts found by text. Price: 1 credit. query: Search terms, 1 to 512 characters. sort: Order of the posts. after: Cursor: `after` of the page before. community: Search in this community alone."""
        return (self._client._send(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, options)).data

    def with_response(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, **options: Unpack[CallOptions]) -> Answer[ForumPostPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, options)

    def pages(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, **options: Unpack[CallOptions]) -> Iterator[ForumPostPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, options)

    def all(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[ForumPost]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, limit_total, options)


class _ForumComments:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, post_id: str, **options: Unpack[CallOptions]) -> ForumThread:
        """One post with all of its comments as a flat list. Price: 1 credit. post_id: Id of the post."""
        return (self._client._send(OPERATIONS["forum-comments"], {"postId": post_id}, options)).data

    def with_response(self, post_id: str, **options: Unpack[CallOptions]) -> Answer[ForumThread]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["forum-comments"], {"postId": post_id}, options)


class _AppmarketApp:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, handle: str, **options: Unpack[CallOptions]) -> AppProfile:
        """Profile of one app. Price: 1 credit. handle: Handle of the app."""
        return (self._client._send(OPERATIONS["app"], {"handle": handle}, options)).data

    def with_response(self, handle: str, **options: Unpack[CallOptions]) -> Answer[AppProfile]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["app"], {"handle": handle}, options)


class _AppmarketReviews:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> AppReviewPage:
        """One page of reviews of an app, ordered by `sort`. Price: 1 credit. handle: Handle of the app. page: Page number, from 1. sort: Order of the reviews."""
        return (self._client._send(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, options)).data

    def with_response(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> Answer[AppReviewPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, options)

    def pages(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> Iterator[AppReviewPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, options)

    def all(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[AppReviewPageReview]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, limit_total, options)


class _AppmarketAppstoreReviews:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> AppReviewPage:
        """One page of reviews of an app under its app store path, ordered by `sort_by`. Price: 1 credit. handle: Handle of the app. page: Page number, from 1. sort_by: Order of the reviews."""
        return (self._client._send(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, options)).data

    def with_response(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> Answer[AppReviewPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, options)

    def pages(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> Iterator[AppReviewPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, options)

    def all(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[AppReviewPageReview]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, limit_total, options)


class _AppmarketKeywords:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, keyword: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> AppKeywordRanking:
        """One page of the apps ranked for a keyword. Price: 1 credit. keyword: Search terms, 1 to 200 characters. page: Page number, from 1."""
        return (self._client._send(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, options)).data

    def with_response(self, keyword: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> Answer[AppKeywordRanking]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, options)

    def pages(self, keyword: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> Iterator[AppKeywordRanking]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, options)

    def all(self, keyword: str, *, page: int | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[AppKeywordRankingApp]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, limit_total, options)


class _AppmarketDeveloper:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, handle: str, **options: Unpack[CallOptions]) -> DeveloperProfile:
        """A developer with all apps. Price: 1 credit. handle: Handle of the developer."""
        return (self._client._send(OPERATIONS["app-developer"], {"handle": handle}, options)).data

    def with_response(self, handle: str, **options: Unpack[CallOptions]) -> Answer[DeveloperProfile]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["app-developer"], {"handle": handle}, options)


class _AppmarketCategory:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, handle: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> CategoryDetail:
        """A category with one page of its apps. Price: 1 credit. handle: Handle of the category. page: Page number, from 1."""
        return (self._client._send(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, options)).data

    def with_response(self, handle: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> Answer[CategoryDetail]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, options)

    def pages(self, handle: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> Iterator[CategoryDetail]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, options)

    def all(self, handle: str, *, page: int | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[CategoryDetailApp]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, limit_total, options)


class _TrafficDomain:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, domain: str, **options: Unpack[CallOptions]) -> TrafficEstimate:
        """Visit and engagement estimates of a domain. Price: 1 credit. domain: Domain name, in A-labels or Unicode (IDNA); a host name is reduced to its registrable domain. Limits of RFC 1035; a public suffix itself, such as co.uk, is refused."""
        return (self._client._send(OPERATIONS["traffic"], {"domain": domain}, options)).data

    def with_response(self, domain: str, **options: Unpack[CallOptions]) -> Answer[TrafficEstimate]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["traffic"], {"domain": domain}, options)


class _RegistrationDomain:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, domain: str, **options: Unpack[CallOptions]) -> DomainRegistration:
        """Registration of a domain. Price: 1 credit. domain: Domain name, in A-labels or Unicode (IDNA); a host name is reduced to its registrable domain. Limits of RFC 1035; a public suffix itself, such as co.uk, is refused."""
        return (self._client._send(OPERATIONS["registration"], {"domain": domain}, options)).data

    def with_response(self, domain: str, **options: Unpack[CallOptions]) -> Answer[DomainRegistration]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["registration"], {"domain": domain}, options)


class _AccountGet:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, **options: Unpack[CallOptions]) -> Account:
        """Balance, key and limits of the caller. Free."""
        return (self._client._send(OPERATIONS["account"], {}, options)).data

    def with_response(self, **options: Unpack[CallOptions]) -> Answer[Account]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account"], {}, options)


class _AccountUsage:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> AccountUsage:
        """Requests and credits by day, operation, key and status. Free. from_: First day, UTC; default: 29 days before `to`. to: Last day, UTC, included; default: today. limit: Entries of a page. after: Cursor: `after` of the page before. include: `timings`: also how long lookups took and how many came from the cache; in JSON alone. format: Format of the answer; without it `Accept` decides."""
        return (self._client._send(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, options)).data

    def with_response(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> Answer[AccountUsage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, options)

    def pages(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> Iterator[AccountUsage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, options)

    def all(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[AccountUsageDay]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, limit_total, options)


class _AccountLedger:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> AccountLedger:
        """Every ledger entry of the account, newest first. Free. limit: Entries of a page. after: Cursor: `after` of the page before. receipt: `X-Receipt` of an answer: its hold, and how the hold ended. by: `lookup`: one entry a lookup, with what it was charged; a hold is one only while it is open. from_: First day, UTC. to: Last day, UTC, included."""
        return (self._client._send(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, options)).data

    def with_response(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> Answer[AccountLedger]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, options)

    def pages(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> Iterator[AccountLedger]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, options)

    def all(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[AccountLedgerEntry]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, limit_total, options)


class _AccountPrice:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration"], *, keyword: str | None = None, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, url: str | None = None, community: str | None = None, sort: Literal["hot", "new", "top", "rising", "relevance", "comments", "newest"] | None = None, after: str | None = None, query: str | None = None, post_id: str | None = None, handle: str | None = None, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, domain: str | None = None, **options: Unpack[CallOptions]) -> AccountPrice:
        """What a lookup would cost now. Free. operation: Id of the operation. keyword: `serp`: Search terms, 1 to 700 characters. `app-keywords`: Search terms, 1 to 200 characters. location: `serp`: ISO 3166-1 alpha-2 country. language: `serp`: ISO 639-1 language. device: `serp`: Device the page is made for. depth: `serp`: Number of results, 1 to 200. engine: `serp`: Search engine: `engine_a` is Google, `engine_b` Bing; never switched silently. url: `short-video`: URL of the video, in any form that the platform hands out. `microblog-post`: URL of the post, in any form that the platform hands out. community: `forum-community`: Name of the community. `forum-search`: Search in this community alone. sort: `forum-community`, `forum-search`: Order of the posts. `app-reviews`: Order of the reviews. after: `forum-community`, `forum-search`: Cursor: `after` of the page before. query: `forum-search`: Search terms, 1 to 512 characters. post_id: `forum-comments`: Id of the post. handle: `app`, `app-reviews`, `appstore-reviews`: Handle of the app. `app-developer`: Handle of the developer. `appstore-category`: Handle of the category. page: `app-reviews`, `appstore-reviews`, `app-keywords`, `appstore-category`: Page number, from 1. sort_by: `appstore-reviews`: Order of the reviews. domain: `traffic`, `registration`: Domain name, in A-labels or Unicode (IDNA); a host name is reduced to its registrable domain. Limits of RFC 1035; a public suffix itself, such as co.uk, is refused."""
        return (self._client._send(OPERATIONS["account-price"], {"operation": operation, "keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine, "url": url, "community": community, "sort": sort, "after": after, "query": query, "postId": post_id, "handle": handle, "page": page, "sort_by": sort_by, "domain": domain}, options)).data

    def with_response(self, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration"], *, keyword: str | None = None, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, url: str | None = None, community: str | None = None, sort: Literal["hot", "new", "top", "rising", "relevance", "comments", "newest"] | None = None, after: str | None = None, query: str | None = None, post_id: str | None = None, handle: str | None = None, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, domain: str | None = None, **options: Unpack[CallOptions]) -> Answer[AccountPrice]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-price"], {"operation": operation, "keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine, "url": url, "community": community, "sort": sort, "after": after, "query": query, "postId": post_id, "handle": handle, "page": page, "sort_by": sort_by, "domain": domain}, options)


class _AccountRequests:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> AccountRequests:
        """Requests of the account, newest first. Free. operation: Only this operation or account endpoint. status: Only this HTTP status. label: Only requests with this `X-Request-Id` of the caller. key: Only requests of this key or OAuth client. source: Only answers of this source. kind: `lookup`: no requests to account endpoints; `error`: only errors of lookups. from_: First day, UTC. to: Last day, UTC, included. limit: Entries of a page. after: Cursor: `after` of the page before."""
        return (self._client._send(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, options)).data

    def with_response(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Answer[AccountRequests]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, options)

    def pages(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Iterator[AccountRequests]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, options)

    def all(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[AccountRequest]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, limit_total, options)


class _AccountRequest:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, request_id: str, **options: Unpack[CallOptions]) -> RequestExplanation:
        """What happened to one request, and why it was charged or not. Free. request_id: `X-Request-Id` of the answer: the id of the request, or the label that the caller sent."""
        return (self._client._send(OPERATIONS["account-request"], {"requestId": request_id}, options)).data

    def with_response(self, request_id: str, **options: Unpack[CallOptions]) -> Answer[RequestExplanation]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-request"], {"requestId": request_id}, options)


class _AccountWatches:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, *, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Watches:
        """Watches of the account. Free. limit: Entries of a page. after: Cursor: `after` of the page before."""
        return (self._client._send(OPERATIONS["account-watches"], {"limit": limit, "after": after}, options)).data

    def with_response(self, *, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Answer[Watches]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watches"], {"limit": limit, "after": after}, options)

    def pages(self, *, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Iterator[Watches]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-watches"], {"limit": limit, "after": after}, options)

    def all(self, *, limit: int | None = None, after: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[Watch]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-watches"], {"limit": limit, "after": after}, limit_total, options)


class _AccountWatchCreate:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, body: NewWatch, **options: Unpack[CallOptions]) -> Watch:
        """Create a watch. Free."""
        return (self._client._send(OPERATIONS["account-watch-create"], {}, options, body)).data

    def with_response(self, body: NewWatch, **options: Unpack[CallOptions]) -> Answer[Watch]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-create"], {}, options, body)


class _AccountWatchImport:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, body: NewWatchList, **options: Unpack[CallOptions]) -> WatchImport:
        """Create a watch for each line of a list. Free."""
        return (self._client._send(OPERATIONS["account-watch-import"], {}, options, body)).data

    def with_response(self, body: NewWatchList, **options: Unpack[CallOptions]) -> Answer[WatchImport]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-import"], {}, options, body)


class _AccountWatch:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, **options: Unpack[CallOptions]) -> Watch:
        """One watch. Free. watch_id: Id of the watch."""
        return (self._client._send(OPERATIONS["account-watch"], {"watchId": watch_id}, options)).data

    def with_response(self, watch_id: str, **options: Unpack[CallOptions]) -> Answer[Watch]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch"], {"watchId": watch_id}, options)


class _AccountWatchEdit:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, body: WatchEdit, **options: Unpack[CallOptions]) -> Watch:
        """Change a watch. Free. watch_id: Id of the watch."""
        return (self._client._send(OPERATIONS["account-watch-edit"], {"watchId": watch_id}, options, body)).data

    def with_response(self, watch_id: str, body: WatchEdit, **options: Unpack[CallOptions]) -> Answer[Watch]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-edit"], {"watchId": watch_id}, options, body)


class _AccountWatchDelete:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, **options: Unpack[CallOptions]) -> None:
        """Delete a watch with its history. Free. watch_id: Id of the watch."""
        return (self._client._send(OPERATIONS["account-watch-delete"], {"watchId": watch_id}, options)).data

    def with_response(self, watch_id: str, **options: Unpack[CallOptions]) -> Answer[None]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-delete"], {"watchId": watch_id}, options)


class _AccountWatchRun:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, **options: Unpack[CallOptions]) -> WatchCheck:
        """Check a watch now. Costs what the lookup costs, within the budget of the watch and the caps of the caller; above `X-Max-Credits` it is 402, and there is no check. Its slots stay as they are. watch_id: Id of the watch."""
        return (self._client._send(OPERATIONS["account-watch-run"], {"watchId": watch_id}, options)).data

    def with_response(self, watch_id: str, **options: Unpack[CallOptions]) -> Answer[WatchCheck]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-run"], {"watchId": watch_id}, options)


class _AccountWatchHistory:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, **options: Unpack[CallOptions]) -> WatchHistory:
        """Checks of a watch with the numbers that they read, newest first. Free. watch_id: Id of the watch. limit: Entries of a page. after: Cursor: `after` of the page before. format: Format of the answer; without it `Accept` decides."""
        return (self._client._send(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, options)).data

    def with_response(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, **options: Unpack[CallOptions]) -> Answer[WatchHistory]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, options)

    def pages(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, **options: Unpack[CallOptions]) -> Iterator[WatchHistory]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, options)

    def all(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[WatchHistoryCheck]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, limit_total, options)


class _AccountWatchDeliveries:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, **options: Unpack[CallOptions]) -> WatchDeliveries:
        """Messages of a watch, newest first. Free. watch_id: Id of the watch. limit: Entries of a page. after: Cursor: `after` of the page before. to: Messages to the webhook, or to every target: then a page has those of so many checks."""
        return (self._client._send(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, options)).data

    def with_response(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, **options: Unpack[CallOptions]) -> Answer[WatchDeliveries]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, options)

    def pages(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, **options: Unpack[CallOptions]) -> Iterator[WatchDeliveries]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, options)

    def all(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[WatchDeliveriesDelivery]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, limit_total, options)


class _AccountWatchRepeat:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, cursor: int, **options: Unpack[CallOptions]) -> WatchDeliveries:
        """Send a message to the webhook again. Free. watch_id: Id of the watch. cursor: Cursor of the message."""
        return (self._client._send(OPERATIONS["account-watch-repeat"], {"watchId": watch_id, "cursor": cursor}, options)).data

    def with_response(self, watch_id: str, cursor: int, **options: Unpack[CallOptions]) -> Answer[WatchDeliveries]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-repeat"], {"watchId": watch_id, "cursor": cursor}, options)


class _AccountNotify:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, **options: Unpack[CallOptions]) -> Notify:
        """Where messages of watches are sent, and how that went. Free."""
        return (self._client._send(OPERATIONS["account-notify"], {}, options)).data

    def with_response(self, **options: Unpack[CallOptions]) -> Answer[Notify]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-notify"], {}, options)


class _AccountNotifySet:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, body: NotifyEdit, **options: Unpack[CallOptions]) -> Notify:
        """Set where messages of watches are sent. Free."""
        return (self._client._send(OPERATIONS["account-notify-set"], {}, options, body)).data

    def with_response(self, body: NotifyEdit, **options: Unpack[CallOptions]) -> Answer[Notify]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-notify-set"], {}, options, body)


class _AccountNotifyTest:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, body: NotifyTest, **options: Unpack[CallOptions]) -> NotifyTestResult:
        """Send a test message. Free."""
        return (self._client._send(OPERATIONS["account-notify-test"], {}, options, body)).data

    def with_response(self, body: NotifyTest, **options: Unpack[CallOptions]) -> Answer[NotifyTestResult]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-notify-test"], {}, options, body)


class _AccountWatchNotifyTest:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, watch_id: str, body: NotifyTest, **options: Unpack[CallOptions]) -> NotifyTestResult:
        """Send a test message to a target of a watch. Free. watch_id: Id of the watch."""
        return (self._client._send(OPERATIONS["account-watch-notify-test"], {"watchId": watch_id}, options, body)).data

    def with_response(self, watch_id: str, body: NotifyTest, **options: Unpack[CallOptions]) -> Answer[NotifyTestResult]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-watch-notify-test"], {"watchId": watch_id}, options, body)


class _AccountCalendar:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, **options: Unpack[CallOptions]) -> Calendar:
        """Whether the calendar of due dates has an address. Free."""
        return (self._client._send(OPERATIONS["account-calendar"], {}, options)).data

    def with_response(self, **options: Unpack[CallOptions]) -> Answer[Calendar]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-calendar"], {}, options)


class _AccountCalendarMake:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, **options: Unpack[CallOptions]) -> WatchCalendar:
        """Make the address of the calendar of due dates. Free."""
        return (self._client._send(OPERATIONS["account-calendar-make"], {}, options)).data

    def with_response(self, **options: Unpack[CallOptions]) -> Answer[WatchCalendar]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-calendar-make"], {}, options)


class _AccountCalendarEnd:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, **options: Unpack[CallOptions]) -> None:
        """End the address of the calendar. Free."""
        return (self._client._send(OPERATIONS["account-calendar-end"], {}, options)).data

    def with_response(self, **options: Unpack[CallOptions]) -> Answer[None]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-calendar-end"], {}, options)


class _AccountChanges:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, **options: Unpack[CallOptions]) -> WatchChanges:
        """What the watches of the account found. Free. limit: Entries of a page. after: Cursor: `after` of the answer before; without it the feed begins with its first change, or with its last. order: Which changes come first. watch: Only changes of this watch."""
        return (self._client._send(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, options)).data

    def with_response(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, **options: Unpack[CallOptions]) -> Answer[WatchChanges]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, options)

    def pages(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, **options: Unpack[CallOptions]) -> Iterator[WatchChanges]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, options)

    def all(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> Iterator[WatchChange]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, limit_total, options)


class _AccountSites:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, **options: Unpack[CallOptions]) -> AccountSites:
        """The own site and its rivals, and the own app and its rivals. Free."""
        return (self._client._send(OPERATIONS["account-sites"], {}, options)).data

    def with_response(self, **options: Unpack[CallOptions]) -> Answer[AccountSites]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-sites"], {}, options)


class _AccountSitesSet:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, body: SitesEdit, **options: Unpack[CallOptions]) -> AccountSites:
        """Set the own site and its rivals, and the own app and its rivals. Free."""
        return (self._client._send(OPERATIONS["account-sites-set"], {}, options, body)).data

    def with_response(self, body: SitesEdit, **options: Unpack[CallOptions]) -> Answer[AccountSites]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-sites-set"], {}, options, body)


class _AccountRankings:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, *, from_: str | None = None, to: str | None = None, location: str | None = None, device: Literal["desktop", "mobile"] | None = None, engine: Literal["engine_a", "engine_b"] | None = None, tag: str | None = None, format: Literal["json", "csv", "html"] | None = None, title: str | None = None, client: str | None = None, sender: str | None = None, **options: Unpack[CallOptions]) -> Rankings:
        """Places of the own site and its rivals for the watched keywords. Free. from_: First day, UTC; default: 29 days before `to`. to: Last day, UTC, included; default: today. location: Only this country. device: Only this device. engine: Only this engine. tag: Only watches with this tag. format: Format of the answer; without it `Accept` decides. title: Of the report: its title. client: Of the report: whom it is for. sender: Of the report: who made it."""
        return (self._client._send(OPERATIONS["account-rankings"], {"from": from_, "to": to, "location": location, "device": device, "engine": engine, "tag": tag, "format": format, "title": title, "client": client, "sender": sender}, options)).data

    def with_response(self, *, from_: str | None = None, to: str | None = None, location: str | None = None, device: Literal["desktop", "mobile"] | None = None, engine: Literal["engine_a", "engine_b"] | None = None, tag: str | None = None, format: Literal["json", "csv", "html"] | None = None, title: str | None = None, client: str | None = None, sender: str | None = None, **options: Unpack[CallOptions]) -> Answer[Rankings]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-rankings"], {"from": from_, "to": to, "location": location, "device": device, "engine": engine, "tag": tag, "format": format, "title": title, "client": client, "sender": sender}, options)


class _AccountAppRankings:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, *, from_: str | None = None, to: str | None = None, tag: str | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> AppRankings:
        """Places of the own app and its rivals for the watched keywords of the app marketplace. Free. from_: First day, UTC; default: 29 days before `to`. to: Last day, UTC, included; default: today. tag: Only watches with this tag. format: Format of the answer; without it `Accept` decides."""
        return (self._client._send(OPERATIONS["account-app-rankings"], {"from": from_, "to": to, "tag": tag, "format": format}, options)).data

    def with_response(self, *, from_: str | None = None, to: str | None = None, tag: str | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> Answer[AppRankings]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return self._client._send(OPERATIONS["account-app-rankings"], {"from": from_, "to": to, "tag": tag, "format": format}, options)


class _Searchengine:
    def __init__(self, client: Any) -> None:
        self.serp = _SearchengineSerp(client)


class _Shortvideo:
    def __init__(self, client: Any) -> None:
        self.video = _ShortvideoVideo(client)


class _Microblog:
    def __init__(self, client: Any) -> None:
        self.post = _MicroblogPost(client)


class _Forum:
    def __init__(self, client: Any) -> None:
        self.community = _ForumCommunity(client)
        self.search = _ForumSearch(client)
        self.comments = _ForumComments(client)


class _Appmarket:
    def __init__(self, client: Any) -> None:
        self.app = _AppmarketApp(client)
        self.reviews = _AppmarketReviews(client)
        self.appstore_reviews = _AppmarketAppstoreReviews(client)
        self.keywords = _AppmarketKeywords(client)
        self.developer = _AppmarketDeveloper(client)
        self.category = _AppmarketCategory(client)


class _Traffic:
    def __init__(self, client: Any) -> None:
        self.domain = _TrafficDomain(client)


class _Registration:
    def __init__(self, client: Any) -> None:
        self.domain = _RegistrationDomain(client)


class _Account:
    def __init__(self, client: Any) -> None:
        self.get = _AccountGet(client)
        self.usage = _AccountUsage(client)
        self.ledger = _AccountLedger(client)
        self.price = _AccountPrice(client)
        self.requests = _AccountRequests(client)
        self.request = _AccountRequest(client)
        self.watches = _AccountWatches(client)
        self.watch_create = _AccountWatchCreate(client)
        self.watch_import = _AccountWatchImport(client)
        self.watch = _AccountWatch(client)
        self.watch_edit = _AccountWatchEdit(client)
        self.watch_delete = _AccountWatchDelete(client)
        self.watch_run = _AccountWatchRun(client)
        self.watch_history = _AccountWatchHistory(client)
        self.watch_deliveries = _AccountWatchDeliveries(client)
        self.watch_repeat = _AccountWatchRepeat(client)
        self.notify = _AccountNotify(client)
        self.notify_set = _AccountNotifySet(client)
        self.notify_test = _AccountNotifyTest(client)
        self.watch_notify_test = _AccountWatchNotifyTest(client)
        self.calendar = _AccountCalendar(client)
        self.calendar_make = _AccountCalendarMake(client)
        self.calendar_end = _AccountCalendarEnd(client)
        self.changes = _AccountChanges(client)
        self.sites = _AccountSites(client)
        self.sites_set = _AccountSitesSet(client)
        self.rankings = _AccountRankings(client)
        self.app_rankings = _AccountAppRankings(client)


class Areas:
    """The methods of a client by area."""

    def __init__(self, client: Any) -> None:
        self.searchengine = _Searchengine(client)
        self.shortvideo = _Shortvideo(client)
        self.microblog = _Microblog(client)
        self.forum = _Forum(client)
        self.appmarket = _Appmarket(client)
        self.traffic = _Traffic(client)
        self.registration = _Registration(client)
        self.account = _Account(client)

class _AsyncSearchengineSerp:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, keyword: str, *, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, **options: Unpack[CallOptions]) -> SearchResult:
        """Rankings and features of the result page for one keyword. Price: 1 credit per 10 results of `depth`, rounded up; results that the engine does not have are refunded. keyword: Search terms, 1 to 700 characters. location: ISO 3166-1 alpha-2 country. language: ISO 639-1 language. device: Device the page is made for. depth: Number of results, 1 to 200. engine: Search engine: `engine_a` is Google, `engine_b` Bing; never switched silently."""
        return (await self._client._send(OPERATIONS["serp"], {"keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine}, options)).data

    async def with_response(self, keyword: str, *, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, **options: Unpack[CallOptions]) -> Answer[SearchResult]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["serp"], {"keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine}, options)


class _AsyncShortvideoVideo:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, url: str, **options: Unpack[CallOptions]) -> ShortVideo:
        """One short video by its URL. Price: 1 credit. url: URL of the video, in any form that the platform hands out."""
        return (await self._client._send(OPERATIONS["short-video"], {"url": url}, options)).data

    async def with_response(self, url: str, **options: Unpack[CallOptions]) -> Answer[ShortVideo]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["short-video"], {"url": url}, options)


class _AsyncMicroblogPost:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, url: str, **options: Unpack[CallOptions]) -> MicroblogPost:
        """One microblog post by its URL. Price: 1 credit. url: URL of the post, in any form that the platform hands out."""
        return (await self._client._send(OPERATIONS["microblog-post"], {"url": url}, options)).data

    async def with_response(self, url: str, **options: Unpack[CallOptions]) -> Answer[MicroblogPost]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["microblog-post"], {"url": url}, options)


class _AsyncForumCommunity:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> ForumPostPage:
        """One page of posts of a community. Price: 1 credit. community: Name of the community. sort: Order of the posts. after: Cursor: `after` of the page before."""
        return (await self._client._send(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, options)).data

    async def with_response(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Answer[ForumPostPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, options)

    def pages(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[ForumPostPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, options)

    def all(self, community: str, *, sort: Literal["hot", "new", "top", "rising"] | None = None, after: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[ForumPost]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["forum-community"], {"community": community, "sort": sort, "after": after}, limit_total, options)


class _AsyncForumSearch:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, **options: Unpack[CallOptions]) -> ForumPostPage:
        """One page of posts found by text. Price: 1 credit. query: Search terms, 1 to 512 characters. sort: Order of the posts. after: Cursor: `after` of the page before. community: Search in this community alone."""
        return (await self._client._send(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, options)).data

    async def with_response(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, **options: Unpack[CallOptions]) -> Answer[ForumPostPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, options)

    def pages(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[ForumPostPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, options)

    def all(self, query: str, *, sort: Literal["relevance", "new", "top", "comments"] | None = None, after: str | None = None, community: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[ForumPost]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["forum-search"], {"query": query, "sort": sort, "after": after, "community": community}, limit_total, options)


class _AsyncForumComments:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, post_id: str, **options: Unpack[CallOptions]) -> ForumThread:
        """One post with all of its comments as a flat list. Price: 1 credit. post_id: Id of the post."""
        return (await self._client._send(OPERATIONS["forum-comments"], {"postId": post_id}, options)).data

    async def with_response(self, post_id: str, **options: Unpack[CallOptions]) -> Answer[ForumThread]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["forum-comments"], {"postId": post_id}, options)


class _AsyncAppmarketApp:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, handle: str, **options: Unpack[CallOptions]) -> AppProfile:
        """Profile of one app. Price: 1 credit. handle: Handle of the app."""
        return (await self._client._send(OPERATIONS["app"], {"handle": handle}, options)).data

    async def with_response(self, handle: str, **options: Unpack[CallOptions]) -> Answer[AppProfile]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["app"], {"handle": handle}, options)


class _AsyncAppmarketReviews:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> AppReviewPage:
        """One page of reviews of an app, ordered by `sort`. Price: 1 credit. handle: Handle of the app. page: Page number, from 1. sort: Order of the reviews."""
        return (await self._client._send(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, options)).data

    async def with_response(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> Answer[AppReviewPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, options)

    def pages(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AppReviewPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, options)

    def all(self, handle: str, *, page: int | None = None, sort: Literal["relevance", "newest"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AppReviewPageReview]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["app-reviews"], {"handle": handle, "page": page, "sort": sort}, limit_total, options)


class _AsyncAppmarketAppstoreReviews:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> AppReviewPage:
        """One page of reviews of an app under its app store path, ordered by `sort_by`. Price: 1 credit. handle: Handle of the app. page: Page number, from 1. sort_by: Order of the reviews."""
        return (await self._client._send(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, options)).data

    async def with_response(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> Answer[AppReviewPage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, options)

    def pages(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AppReviewPage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, options)

    def all(self, handle: str, *, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AppReviewPageReview]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["appstore-reviews"], {"handle": handle, "page": page, "sort_by": sort_by}, limit_total, options)


class _AsyncAppmarketKeywords:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, keyword: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> AppKeywordRanking:
        """One page of the apps ranked for a keyword. Price: 1 credit. keyword: Search terms, 1 to 200 characters. page: Page number, from 1."""
        return (await self._client._send(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, options)).data

    async def with_response(self, keyword: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> Answer[AppKeywordRanking]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, options)

    def pages(self, keyword: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AppKeywordRanking]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, options)

    def all(self, keyword: str, *, page: int | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AppKeywordRankingApp]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["app-keywords"], {"keyword": keyword, "page": page}, limit_total, options)


class _AsyncAppmarketDeveloper:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, handle: str, **options: Unpack[CallOptions]) -> DeveloperProfile:
        """A developer with all apps. Price: 1 credit. handle: Handle of the developer."""
        return (await self._client._send(OPERATIONS["app-developer"], {"handle": handle}, options)).data

    async def with_response(self, handle: str, **options: Unpack[CallOptions]) -> Answer[DeveloperProfile]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["app-developer"], {"handle": handle}, options)


class _AsyncAppmarketCategory:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, handle: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> CategoryDetail:
        """A category with one page of its apps. Price: 1 credit. handle: Handle of the category. page: Page number, from 1."""
        return (await self._client._send(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, options)).data

    async def with_response(self, handle: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> Answer[CategoryDetail]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, options)

    def pages(self, handle: str, *, page: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[CategoryDetail]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, options)

    def all(self, handle: str, *, page: int | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[CategoryDetailApp]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["appstore-category"], {"handle": handle, "page": page}, limit_total, options)


class _AsyncTrafficDomain:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, domain: str, **options: Unpack[CallOptions]) -> TrafficEstimate:
        """Visit and engagement estimates of a domain. Price: 1 credit. domain: Domain name, in A-labels or Unicode (IDNA); a host name is reduced to its registrable domain. Limits of RFC 1035; a public suffix itself, such as co.uk, is refused."""
        return (await self._client._send(OPERATIONS["traffic"], {"domain": domain}, options)).data

    async def with_response(self, domain: str, **options: Unpack[CallOptions]) -> Answer[TrafficEstimate]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["traffic"], {"domain": domain}, options)


class _AsyncRegistrationDomain:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, domain: str, **options: Unpack[CallOptions]) -> DomainRegistration:
        """Registration of a domain. Price: 1 credit. domain: Domain name, in A-labels or Unicode (IDNA); a host name is reduced to its registrable domain. Limits of RFC 1035; a public suffix itself, such as co.uk, is refused."""
        return (await self._client._send(OPERATIONS["registration"], {"domain": domain}, options)).data

    async def with_response(self, domain: str, **options: Unpack[CallOptions]) -> Answer[DomainRegistration]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["registration"], {"domain": domain}, options)


class _AsyncAccountGet:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, **options: Unpack[CallOptions]) -> Account:
        """Balance, key and limits of the caller. Free."""
        return (await self._client._send(OPERATIONS["account"], {}, options)).data

    async def with_response(self, **options: Unpack[CallOptions]) -> Answer[Account]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account"], {}, options)


class _AsyncAccountUsage:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> AccountUsage:
        """Requests and credits by day, operation, key and status. Free. from_: First day, UTC; default: 29 days before `to`. to: Last day, UTC, included; default: today. limit: Entries of a page. after: Cursor: `after` of the page before. include: `timings`: also how long lookups took and how many came from the cache; in JSON alone. format: Format of the answer; without it `Accept` decides."""
        return (await self._client._send(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, options)).data

    async def with_response(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> Answer[AccountUsage]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, options)

    def pages(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AccountUsage]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, options)

    def all(self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, include: Literal["timings"] | None = None, format: Literal["json", "csv"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AccountUsageDay]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-usage"], {"from": from_, "to": to, "limit": limit, "after": after, "include": include, "format": format}, limit_total, options)


class _AsyncAccountLedger:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> AccountLedger:
        """Every ledger entry of the account, newest first. Free. limit: Entries of a page. after: Cursor: `after` of the page before. receipt: `X-Receipt` of an answer: its hold, and how the hold ended. by: `lookup`: one entry a lookup, with what it was charged; a hold is one only while it is open. from_: First day, UTC. to: Last day, UTC, included."""
        return (await self._client._send(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, options)).data

    async def with_response(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> Answer[AccountLedger]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, options)

    def pages(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AccountLedger]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, options)

    def all(self, *, limit: int | None = None, after: str | None = None, receipt: str | None = None, by: Literal["lookup"] | None = None, from_: str | None = None, to: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AccountLedgerEntry]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-ledger"], {"limit": limit, "after": after, "receipt": receipt, "by": by, "from": from_, "to": to}, limit_total, options)


class _AsyncAccountPrice:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration"], *, keyword: str | None = None, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, url: str | None = None, community: str | None = None, sort: Literal["hot", "new", "top", "rising", "relevance", "comments", "newest"] | None = None, after: str | None = None, query: str | None = None, post_id: str | None = None, handle: str | None = None, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, domain: str | None = None, **options: Unpack[CallOptions]) -> AccountPrice:
        """What a lookup would cost now. Free. operation: Id of the operation. keyword: `serp`: Search terms, 1 to 700 characters. `app-keywords`: Search terms, 1 to 200 characters. location: `serp`: ISO 3166-1 alpha-2 country. language: `serp`: ISO 639-1 language. device: `serp`: Device the page is made for. depth: `serp`: Number of results, 1 to 200. engine: `serp`: Search engine: `engine_a` is Google, `engine_b` Bing; never switched silently. url: `short-video`: URL of the video, in any form that the platform hands out. `microblog-post`: URL of the post, in any form that the platform hands out. community: `forum-community`: Name of the community. `forum-search`: Search in this community alone. sort: `forum-community`, `forum-search`: Order of the posts. `app-reviews`: Order of the reviews. after: `forum-community`, `forum-search`: Cursor: `after` of the page before. query: `forum-search`: Search terms, 1 to 512 characters. post_id: `forum-comments`: Id of the post. handle: `app`, `app-reviews`, `appstore-reviews`: Handle of the app. `app-developer`: Handle of the developer. `appstore-category`: Handle of the category. page: `app-reviews`, `appstore-reviews`, `app-keywords`, `appstore-category`: Page number, from 1. sort_by: `appstore-reviews`: Order of the reviews. domain: `traffic`, `registration`: Domain name, in A-labels or Unicode (IDNA); a host name is reduced to its registrable domain. Limits of RFC 1035; a public suffix itself, such as co.uk, is refused."""
        return (await self._client._send(OPERATIONS["account-price"], {"operation": operation, "keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine, "url": url, "community": community, "sort": sort, "after": after, "query": query, "postId": post_id, "handle": handle, "page": page, "sort_by": sort_by, "domain": domain}, options)).data

    async def with_response(self, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration"], *, keyword: str | None = None, location: str | None = None, language: str | None = None, device: Literal["desktop", "mobile"] | None = None, depth: int | None = None, engine: Literal["engine_a", "engine_b"] | None = None, url: str | None = None, community: str | None = None, sort: Literal["hot", "new", "top", "rising", "relevance", "comments", "newest"] | None = None, after: str | None = None, query: str | None = None, post_id: str | None = None, handle: str | None = None, page: int | None = None, sort_by: Literal["relevance", "newest"] | None = None, domain: str | None = None, **options: Unpack[CallOptions]) -> Answer[AccountPrice]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-price"], {"operation": operation, "keyword": keyword, "location": location, "language": language, "device": device, "depth": depth, "engine": engine, "url": url, "community": community, "sort": sort, "after": after, "query": query, "postId": post_id, "handle": handle, "page": page, "sort_by": sort_by, "domain": domain}, options)


class _AsyncAccountRequests:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> AccountRequests:
        """Requests of the account, newest first. Free. operation: Only this operation or account endpoint. status: Only this HTTP status. label: Only requests with this `X-Request-Id` of the caller. key: Only requests of this key or OAuth client. source: Only answers of this source. kind: `lookup`: no requests to account endpoints; `error`: only errors of lookups. from_: First day, UTC. to: Last day, UTC, included. limit: Entries of a page. after: Cursor: `after` of the page before."""
        return (await self._client._send(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, options)).data

    async def with_response(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Answer[AccountRequests]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, options)

    def pages(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AccountRequests]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, options)

    def all(self, *, operation: Literal["serp", "short-video", "shortVideo", "microblog-post", "microblogPost", "forum-community", "forumCommunity", "forum-search", "forumSearch", "forum-comments", "forumComments", "app", "app-reviews", "appReviews", "appstore-reviews", "appstoreReviews", "app-keywords", "appKeywords", "app-developer", "appDeveloper", "appstore-category", "appstoreCategory", "traffic", "registration", "account", "account-usage", "accountUsage", "account-ledger", "accountLedger", "account-price", "accountPrice", "account-requests", "accountRequests", "account-request", "accountRequest", "account-watches", "accountWatches", "account-watch-create", "accountWatchCreate", "account-watch-import", "accountWatchImport", "account-watch", "accountWatch", "account-watch-edit", "accountWatchEdit", "account-watch-delete", "accountWatchDelete", "account-watch-run", "accountWatchRun", "account-watch-history", "accountWatchHistory", "account-watch-deliveries", "accountWatchDeliveries", "account-watch-repeat", "accountWatchRepeat", "account-notify", "accountNotify", "account-notify-set", "accountNotifySet", "account-notify-test", "accountNotifyTest", "account-watch-notify-test", "accountWatchNotifyTest", "account-calendar", "accountCalendar", "account-calendar-make", "accountCalendarMake", "account-calendar-end", "accountCalendarEnd", "account-sites", "accountSites", "account-sites-set", "accountSitesSet", "account-rankings", "accountRankings", "account-app-rankings", "accountAppRankings", "account-changes", "accountChanges", "mcp", "console"] | None = None, status: int | None = None, label: str | None = None, key: str | None = None, source: str | None = None, kind: Literal["lookup", "error"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[AccountRequest]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-requests"], {"operation": operation, "status": status, "label": label, "key": key, "source": source, "kind": kind, "from": from_, "to": to, "limit": limit, "after": after}, limit_total, options)


class _AsyncAccountRequest:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, request_id: str, **options: Unpack[CallOptions]) -> RequestExplanation:
        """What happened to one request, and why it was charged or not. Free. request_id: `X-Request-Id` of the answer: the id of the request, or the label that the caller sent."""
        return (await self._client._send(OPERATIONS["account-request"], {"requestId": request_id}, options)).data

    async def with_response(self, request_id: str, **options: Unpack[CallOptions]) -> Answer[RequestExplanation]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-request"], {"requestId": request_id}, options)


class _AsyncAccountWatches:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, *, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Watches:
        """Watches of the account. Free. limit: Entries of a page. after: Cursor: `after` of the page before."""
        return (await self._client._send(OPERATIONS["account-watches"], {"limit": limit, "after": after}, options)).data

    async def with_response(self, *, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> Answer[Watches]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watches"], {"limit": limit, "after": after}, options)

    def pages(self, *, limit: int | None = None, after: str | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[Watches]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-watches"], {"limit": limit, "after": after}, options)

    def all(self, *, limit: int | None = None, after: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[Watch]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-watches"], {"limit": limit, "after": after}, limit_total, options)


class _AsyncAccountWatchCreate:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, body: NewWatch, **options: Unpack[CallOptions]) -> Watch:
        """Create a watch. Free."""
        return (await self._client._send(OPERATIONS["account-watch-create"], {}, options, body)).data

    async def with_response(self, body: NewWatch, **options: Unpack[CallOptions]) -> Answer[Watch]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-create"], {}, options, body)


class _AsyncAccountWatchImport:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, body: NewWatchList, **options: Unpack[CallOptions]) -> WatchImport:
        """Create a watch for each line of a list. Free."""
        return (await self._client._send(OPERATIONS["account-watch-import"], {}, options, body)).data

    async def with_response(self, body: NewWatchList, **options: Unpack[CallOptions]) -> Answer[WatchImport]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-import"], {}, options, body)


class _AsyncAccountWatch:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, **options: Unpack[CallOptions]) -> Watch:
        """One watch. Free. watch_id: Id of the watch."""
        return (await self._client._send(OPERATIONS["account-watch"], {"watchId": watch_id}, options)).data

    async def with_response(self, watch_id: str, **options: Unpack[CallOptions]) -> Answer[Watch]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch"], {"watchId": watch_id}, options)


class _AsyncAccountWatchEdit:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, body: WatchEdit, **options: Unpack[CallOptions]) -> Watch:
        """Change a watch. Free. watch_id: Id of the watch."""
        return (await self._client._send(OPERATIONS["account-watch-edit"], {"watchId": watch_id}, options, body)).data

    async def with_response(self, watch_id: str, body: WatchEdit, **options: Unpack[CallOptions]) -> Answer[Watch]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-edit"], {"watchId": watch_id}, options, body)


class _AsyncAccountWatchDelete:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, **options: Unpack[CallOptions]) -> None:
        """Delete a watch with its history. Free. watch_id: Id of the watch."""
        return (await self._client._send(OPERATIONS["account-watch-delete"], {"watchId": watch_id}, options)).data

    async def with_response(self, watch_id: str, **options: Unpack[CallOptions]) -> Answer[None]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-delete"], {"watchId": watch_id}, options)


class _AsyncAccountWatchRun:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, **options: Unpack[CallOptions]) -> WatchCheck:
        """Check a watch now. Costs what the lookup costs, within the budget of the watch and the caps of the caller; above `X-Max-Credits` it is 402, and there is no check. Its slots stay as they are. watch_id: Id of the watch."""
        return (await self._client._send(OPERATIONS["account-watch-run"], {"watchId": watch_id}, options)).data

    async def with_response(self, watch_id: str, **options: Unpack[CallOptions]) -> Answer[WatchCheck]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-run"], {"watchId": watch_id}, options)


class _AsyncAccountWatchHistory:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, **options: Unpack[CallOptions]) -> WatchHistory:
        """Checks of a watch with the numbers that they read, newest first. Free. watch_id: Id of the watch. limit: Entries of a page. after: Cursor: `after` of the page before. format: Format of the answer; without it `Accept` decides."""
        return (await self._client._send(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, options)).data

    async def with_response(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, **options: Unpack[CallOptions]) -> Answer[WatchHistory]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, options)

    def pages(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[WatchHistory]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, options)

    def all(self, watch_id: str, *, limit: int | None = None, after: str | None = None, format: Literal["json", "csv", "ndjson"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[WatchHistoryCheck]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-watch-history"], {"watchId": watch_id, "limit": limit, "after": after, "format": format}, limit_total, options)


class _AsyncAccountWatchDeliveries:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, **options: Unpack[CallOptions]) -> WatchDeliveries:
        """Messages of a watch, newest first. Free. watch_id: Id of the watch. limit: Entries of a page. after: Cursor: `after` of the page before. to: Messages to the webhook, or to every target: then a page has those of so many checks."""
        return (await self._client._send(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, options)).data

    async def with_response(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, **options: Unpack[CallOptions]) -> Answer[WatchDeliveries]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, options)

    def pages(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[WatchDeliveries]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, options)

    def all(self, watch_id: str, *, limit: int | None = None, after: str | None = None, to: Literal["webhook", "all"] | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[WatchDeliveriesDelivery]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-watch-deliveries"], {"watchId": watch_id, "limit": limit, "after": after, "to": to}, limit_total, options)


class _AsyncAccountWatchRepeat:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, cursor: int, **options: Unpack[CallOptions]) -> WatchDeliveries:
        """Send a message to the webhook again. Free. watch_id: Id of the watch. cursor: Cursor of the message."""
        return (await self._client._send(OPERATIONS["account-watch-repeat"], {"watchId": watch_id, "cursor": cursor}, options)).data

    async def with_response(self, watch_id: str, cursor: int, **options: Unpack[CallOptions]) -> Answer[WatchDeliveries]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-repeat"], {"watchId": watch_id, "cursor": cursor}, options)


class _AsyncAccountNotify:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, **options: Unpack[CallOptions]) -> Notify:
        """Where messages of watches are sent, and how that went. Free."""
        return (await self._client._send(OPERATIONS["account-notify"], {}, options)).data

    async def with_response(self, **options: Unpack[CallOptions]) -> Answer[Notify]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-notify"], {}, options)


class _AsyncAccountNotifySet:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, body: NotifyEdit, **options: Unpack[CallOptions]) -> Notify:
        """Set where messages of watches are sent. Free."""
        return (await self._client._send(OPERATIONS["account-notify-set"], {}, options, body)).data

    async def with_response(self, body: NotifyEdit, **options: Unpack[CallOptions]) -> Answer[Notify]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-notify-set"], {}, options, body)


class _AsyncAccountNotifyTest:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, body: NotifyTest, **options: Unpack[CallOptions]) -> NotifyTestResult:
        """Send a test message. Free."""
        return (await self._client._send(OPERATIONS["account-notify-test"], {}, options, body)).data

    async def with_response(self, body: NotifyTest, **options: Unpack[CallOptions]) -> Answer[NotifyTestResult]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-notify-test"], {}, options, body)


class _AsyncAccountWatchNotifyTest:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, watch_id: str, body: NotifyTest, **options: Unpack[CallOptions]) -> NotifyTestResult:
        """Send a test message to a target of a watch. Free. watch_id: Id of the watch."""
        return (await self._client._send(OPERATIONS["account-watch-notify-test"], {"watchId": watch_id}, options, body)).data

    async def with_response(self, watch_id: str, body: NotifyTest, **options: Unpack[CallOptions]) -> Answer[NotifyTestResult]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-watch-notify-test"], {"watchId": watch_id}, options, body)


class _AsyncAccountCalendar:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, **options: Unpack[CallOptions]) -> Calendar:
        """Whether the calendar of due dates has an address. Free."""
        return (await self._client._send(OPERATIONS["account-calendar"], {}, options)).data

    async def with_response(self, **options: Unpack[CallOptions]) -> Answer[Calendar]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-calendar"], {}, options)


class _AsyncAccountCalendarMake:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, **options: Unpack[CallOptions]) -> WatchCalendar:
        """Make the address of the calendar of due dates. Free."""
        return (await self._client._send(OPERATIONS["account-calendar-make"], {}, options)).data

    async def with_response(self, **options: Unpack[CallOptions]) -> Answer[WatchCalendar]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-calendar-make"], {}, options)


class _AsyncAccountCalendarEnd:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, **options: Unpack[CallOptions]) -> None:
        """End the address of the calendar. Free."""
        return (await self._client._send(OPERATIONS["account-calendar-end"], {}, options)).data

    async def with_response(self, **options: Unpack[CallOptions]) -> Answer[None]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-calendar-end"], {}, options)


class _AsyncAccountChanges:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, **options: Unpack[CallOptions]) -> WatchChanges:
        """What the watches of the account found. Free. limit: Entries of a page. after: Cursor: `after` of the answer before; without it the feed begins with its first change, or with its last. order: Which changes come first. watch: Only changes of this watch."""
        return (await self._client._send(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, options)).data

    async def with_response(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, **options: Unpack[CallOptions]) -> Answer[WatchChanges]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, options)

    def pages(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[WatchChanges]:
        """Page after page; each is a call of its own."""
        return self._client._pages(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, options)

    def all(self, *, limit: int | None = None, after: str | None = None, order: Literal["oldest", "newest"] | None = None, watch: str | None = None, limit_total: int | None = None, **options: Unpack[CallOptions]) -> AsyncIterator[WatchChange]:
        """The entries of all pages; no page is asked for that `limit_total` does not need."""
        return self._client._all(OPERATIONS["account-changes"], {"limit": limit, "after": after, "order": order, "watch": watch}, limit_total, options)


class _AsyncAccountSites:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, **options: Unpack[CallOptions]) -> AccountSites:
        """The own site and its rivals, and the own app and its rivals. Free."""
        return (await self._client._send(OPERATIONS["account-sites"], {}, options)).data

    async def with_response(self, **options: Unpack[CallOptions]) -> Answer[AccountSites]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-sites"], {}, options)


class _AsyncAccountSitesSet:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, body: SitesEdit, **options: Unpack[CallOptions]) -> AccountSites:
        """Set the own site and its rivals, and the own app and its rivals. Free."""
        return (await self._client._send(OPERATIONS["account-sites-set"], {}, options, body)).data

    async def with_response(self, body: SitesEdit, **options: Unpack[CallOptions]) -> Answer[AccountSites]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-sites-set"], {}, options, body)


class _AsyncAccountRankings:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, *, from_: str | None = None, to: str | None = None, location: str | None = None, device: Literal["desktop", "mobile"] | None = None, engine: Literal["engine_a", "engine_b"] | None = None, tag: str | None = None, format: Literal["json", "csv", "html"] | None = None, title: str | None = None, client: str | None = None, sender: str | None = None, **options: Unpack[CallOptions]) -> Rankings:
        """Places of the own site and its rivals for the watched keywords. Free. from_: First day, UTC; default: 29 days before `to`. to: Last day, UTC, included; default: today. location: Only this country. device: Only this device. engine: Only this engine. tag: Only watches with this tag. format: Format of the answer; without it `Accept` decides. title: Of the report: its title. client: Of the report: whom it is for. sender: Of the report: who made it."""
        return (await self._client._send(OPERATIONS["account-rankings"], {"from": from_, "to": to, "location": location, "device": device, "engine": engine, "tag": tag, "format": format, "title": title, "client": client, "sender": sender}, options)).data

    async def with_response(self, *, from_: str | None = None, to: str | None = None, location: str | None = None, device: Literal["desktop", "mobile"] | None = None, engine: Literal["engine_a", "engine_b"] | None = None, tag: str | None = None, format: Literal["json", "csv", "html"] | None = None, title: str | None = None, client: str | None = None, sender: str | None = None, **options: Unpack[CallOptions]) -> Answer[Rankings]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-rankings"], {"from": from_, "to": to, "location": location, "device": device, "engine": engine, "tag": tag, "format": format, "title": title, "client": client, "sender": sender}, options)


class _AsyncAccountAppRankings:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def __call__(self, *, from_: str | None = None, to: str | None = None, tag: str | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> AppRankings:
        """Places of the own app and its rivals for the watched keywords of the app marketplace. Free. from_: First day, UTC; default: 29 days before `to`. to: Last day, UTC, included; default: today. tag: Only watches with this tag. format: Format of the answer; without it `Accept` decides."""
        return (await self._client._send(OPERATIONS["account-app-rankings"], {"from": from_, "to": to, "tag": tag, "format": format}, options)).data

    async def with_response(self, *, from_: str | None = None, to: str | None = None, tag: str | None = None, format: Literal["json", "csv"] | None = None, **options: Unpack[CallOptions]) -> Answer[AppRankings]:
        """The same, with what the headers say: credits, cache, source, request id, unread fields."""
        return await self._client._send(OPERATIONS["account-app-rankings"], {"from": from_, "to": to, "tag": tag, "format": format}, options)


class _AsyncSearchengine:
    def __init__(self, client: Any) -> None:
        self.serp = _AsyncSearchengineSerp(client)


class _AsyncShortvideo:
    def __init__(self, client: Any) -> None:
        self.video = _AsyncShortvideoVideo(client)


class _AsyncMicroblog:
    def __init__(self, client: Any) -> None:
        self.post = _AsyncMicroblogPost(client)


class _AsyncForum:
    def __init__(self, client: Any) -> None:
        self.community = _AsyncForumCommunity(client)
        self.search = _AsyncForumSearch(client)
        self.comments = _AsyncForumComments(client)


class _AsyncAppmarket:
    def __init__(self, client: Any) -> None:
        self.app = _AsyncAppmarketApp(client)
        self.reviews = _AsyncAppmarketReviews(client)
        self.appstore_reviews = _AsyncAppmarketAppstoreReviews(client)
        self.keywords = _AsyncAppmarketKeywords(client)
        self.developer = _AsyncAppmarketDeveloper(client)
        self.category = _AsyncAppmarketCategory(client)


class _AsyncTraffic:
    def __init__(self, client: Any) -> None:
        self.domain = _AsyncTrafficDomain(client)


class _AsyncRegistration:
    def __init__(self, client: Any) -> None:
        self.domain = _AsyncRegistrationDomain(client)


class _AsyncAccount:
    def __init__(self, client: Any) -> None:
        self.get = _AsyncAccountGet(client)
        self.usage = _AsyncAccountUsage(client)
        self.ledger = _AsyncAccountLedger(client)
        self.price = _AsyncAccountPrice(client)
        self.requests = _AsyncAccountRequests(client)
        self.request = _AsyncAccountRequest(client)
        self.watches = _AsyncAccountWatches(client)
        self.watch_create = _AsyncAccountWatchCreate(client)
        self.watch_import = _AsyncAccountWatchImport(client)
        self.watch = _AsyncAccountWatch(client)
        self.watch_edit = _AsyncAccountWatchEdit(client)
        self.watch_delete = _AsyncAccountWatchDelete(client)
        self.watch_run = _AsyncAccountWatchRun(client)
        self.watch_history = _AsyncAccountWatchHistory(client)
        self.watch_deliveries = _AsyncAccountWatchDeliveries(client)
        self.watch_repeat = _AsyncAccountWatchRepeat(client)
        self.notify = _AsyncAccountNotify(client)
        self.notify_set = _AsyncAccountNotifySet(client)
        self.notify_test = _AsyncAccountNotifyTest(client)
        self.watch_notify_test = _AsyncAccountWatchNotifyTest(client)
        self.calendar = _AsyncAccountCalendar(client)
        self.calendar_make = _AsyncAccountCalendarMake(client)
        self.calendar_end = _AsyncAccountCalendarEnd(client)
        self.changes = _AsyncAccountChanges(client)
        self.sites = _AsyncAccountSites(client)
        self.sites_set = _AsyncAccountSitesSet(client)
        self.rankings = _AsyncAccountRankings(client)
        self.app_rankings = _AsyncAccountAppRankings(client)


class AsyncAreas:
    """The methods of a client by area."""

    def __init__(self, client: Any) -> None:
        self.searchengine = _AsyncSearchengine(client)
        self.shortvideo = _AsyncShortvideo(client)
        self.microblog = _AsyncMicroblog(client)
        self.forum = _AsyncForum(client)
        self.appmarket = _AsyncAppmarket(client)
        self.traffic = _AsyncTraffic(client)
        self.registration = _AsyncRegistration(client)
        self.account = _AsyncAccount(client)
